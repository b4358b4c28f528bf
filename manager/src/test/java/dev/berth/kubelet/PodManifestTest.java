package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodManifestTest {
  private static final String FULL =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: web.1
        namespace: shop
        uid: 0e1f-2
        labels: {app: web}
      spec:
        initContainers:
        - name: fetch
          image: busybox
          resources: {limits: {cpu: 1, memory: 64Mi}}
        - name: proxy
          restartPolicy: Always
          resources: {limits: {cpu: 500m, memory: 64Mi}}
        containers:
        - name: app
          command: [serve]
          resources:
            requests: {cpu: "2"}
            limits: {cpu: 2, memory: 1Gi, hugepages-2Mi: 4Mi, vendor.example/gpu: 1}
        ephemeralContainers:
        - name: debug
        hostNetwork: true
      """;

  private static List<PodManifest> read(String text) {
    return PodManifest.read("pods.yaml", text);
  }

  /** A pod of one container, and what is put under its {@code spec}. */
  private static String pod(String resources, String more) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n"
        + more
        + "  containers:\n  - name: c\n    resources: "
        + resources
        + "\n";
  }

  private static Pod one(String resources, String more) {
    return read(pod(resources, more)).getFirst().pod();
  }

  private static void refuses(String text, String line) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(InvalidInputException.class).hasMessage(line);
  }

  @Test
  void everyFieldThatDecidesIsRead() {
    PodManifest manifest = read(FULL).getFirst();
    assertThat(manifest.namespace()).isEqualTo("shop");
    assertThat(manifest.name()).isEqualTo("web.1");
    assertThat(manifest.place()).isEqualTo("pods.yaml:4");
    Map<String, Quantity> app =
        Map.of(
            "cpu", Quantity.of(2),
            "memory", Quantity.parse("1Gi"),
            "hugepages-2Mi", Quantity.parse("4Mi"),
            "vendor.example/gpu", Quantity.of(1));
    assertThat(manifest.pod())
        .isEqualTo(
            Pod.of(
                    "0e1f-2",
                    List.of(
                        new Container("fetch", Role.INIT, small("1")),
                        new Container("proxy", Role.SIDECAR, small("500m")),
                        new Container("app", Role.APP, Resources.guaranteed(app))))
                .withEphemeral("debug"));
    assertThat(manifest.pod().qosClass()).isEqualTo(QosClass.GUARANTEED);
  }

  private static Resources small(String cpu) {
    return Resources.guaranteed(
        Map.of("cpu", Quantity.parse(cpu), "memory", Quantity.parse("64Mi")));
  }

  @Test
  void whatIsNotNamedHasItsDefault() {
    PodManifest manifest = read(pod("{}", "")).getFirst();
    assertThat(manifest.namespace()).isEqualTo("default");
    assertThat(manifest.pod().uid()).isEqualTo("default_p");
    assertThat(manifest.pod().containers())
        .containsExactly(new Container("c", Role.APP, Resources.NONE));
    assertThat(manifest.pod().budget()).isEmpty();
  }

  @Test
  void aRequestIsTheLimitAndNoLimitIsARequest() {
    assertThat(one("{limits: {cpu: 2, memory: 1Gi}, requests: {cpu: 1}}", "").containers())
        .containsExactly(
            new Container(
                "c",
                Role.APP,
                new Resources(
                    Map.of("cpu", Quantity.of(1), "memory", Quantity.parse("1Gi")),
                    Map.of("cpu", Quantity.of(2), "memory", Quantity.parse("1Gi")))));
    assertThat(one("{requests: {cpu: 1}}", "").containers().getFirst().resources().limits())
        .isEmpty();
  }

  @Test
  void aFileHoldsSeveralDocumentsAndLists() {
    String pod =
        "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {containers: [{name: c}]}}";
    String text =
        "---\n"
            + pod.formatted("one")
            + "\n---\n\n---\n{apiVersion: v1, kind: List, items: ["
            + pod.formatted("two")
            + ",\n"
            + pod.formatted("three")
            + "]}\n";
    assertThat(read(text)).extracting(PodManifest::name).containsExactly("one", "two", "three");
    refuses(
        text.replace("three", "one"),
        "pods.yaml:7: items[1].metadata.name: expected every pod once, found pod default/one"
            + " again, first at pods.yaml:2");
  }

  @Test
  void aPodsOwnBudgetIsCompletedFromItsContainers() {
    Pod pod =
        one("{requests: {cpu: 1, memory: 1Gi}}", "  resources: {limits: {cpu: 4, memory: 2Gi}}\n");
    assertThat(pod.budget())
        .contains(
            new Resources(
                Map.of("cpu", Quantity.of(1), "memory", Quantity.parse("1Gi")),
                Map.of("cpu", Quantity.of(4), "memory", Quantity.parse("2Gi"))));
    assertThat(one("{}", "  resources: {limits: {cpu: 4, memory: 2Gi}}\n").qosClass())
        .isEqualTo(QosClass.GUARANTEED);
    assertThat(
            one("{limits: {cpu: 1, hugepages-2Mi: 2Mi}}", "  resources: {limits: {cpu: 4}}\n")
                .budget())
        .contains(
            new Resources(
                Map.of("cpu", Quantity.of(1), "hugepages-2Mi", Quantity.parse("2Mi")),
                Map.of("cpu", Quantity.of(4), "hugepages-2Mi", Quantity.parse("2Mi"))));
    assertThat(one("{limits: {cpu: 1}}", "  resources: {}\n").budget()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{requests: {cpu: 3}}|requests: {cpu: 2}|expected requests of at least its containers' 3"
            + " cpu, found 2",
        "{limits: {cpu: 3}, requests: {cpu: 1}}|limits: {cpu: 2}|expected limits of at least"
            + " container c's 3 cpu, found 2",
      })
  void aBudgetHasRoomForItsContainers(String resources, String budget, String line) {
    refuses(
        pod(resources, "  resources: {" + budget + "}\n"), "pods.yaml:5: spec.resources: " + line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{requests: {cpu: 3}, limits: {cpu: 2}}|.requests.cpu: expected at most the limit, 2, found"
            + " 3",
        "{requests: {hugepages-2Mi: 2Mi, cpu: 1}, limits: {hugepages-2Mi: 4Mi}}|"
            + ".requests.hugepages-2Mi: expected as much as the limit, 4194304, found 2097152",
        "{requests: {hugepages-2Mi: 2Mi, cpu: 1}}|.requests.hugepages-2Mi: expected a limit of as"
            + " much beside the request, found none",
        "{limits: {hugepages-2Mi: 3Mi, cpu: 1}}|.limits.hugepages-2Mi: expected whole pages of 2Mi,"
            + " found \"3Mi\"",
        "{limits: {hugepages-2Mi: 4Mi}}|: expected cpu or memory beside hugepages, found neither",
        "{limits: {hugepages-x: 4Mi, cpu: 1}}|.limits.hugepages-x: quantity \"x\": expected a"
            + " number from 0",
        "{limits: {vendor.example/gpu: 500m}}|.limits.vendor.example/gpu: expected a whole number,"
            + " found \"500m\"",
        "{requests: {vendor.example/gpu: 1}}|.requests.vendor.example/gpu: expected a limit of as"
            + " much beside the request, found none",
        "{limits: {cpus: 1}}|.limits.cpus: expected cpu, memory, hugepages-SIZE, ephemeral-storage"
            + " or VENDOR/NAME, found \"cpus\"",
        "{limits: {cpu: 2x}}|.limits.cpu: quantity \"2x\": expected a unit such as m, k, Mi, Gi or"
            + " e3 after the number",
        "{limits: {cpu: -1}}|.limits.cpu: quantity \"-1\": expected a number from 0",
        "{limits: {cpu: 08}}|.limits.cpu: expected a number without leading zeros, found \"08\"",
        "{limits: {cpu: [1]}}|.limits.cpu: expected a single value, found a list",
        "{limits: 2}|.limits: expected keys and values, found \"2\"",
        "{limit: {cpu: 1}}|: expected a known key, found \"limit\", did you mean limits?",
      })
  void badResourcesAreOneLine(String resources, String line) {
    refuses(pod(resources, ""), "pods.yaml:7: spec.containers[0].resources" + line);
  }

  @Test
  void badPodsAreOneLine() {
    refuses("", "pods.yaml: expected at least one pod, found none");
    refuses("kind: Pod", "pods.yaml:1: kind: expected apiVersion v1 beside it, found none");
    refuses("apiVersion: v1", "pods.yaml:1: expected kind Pod or List, found none");
    refuses(
        FULL.replace("kind: Pod", "kind: Service"),
        "pods.yaml:2: kind: expected Pod or List, found \"Service\"");
    refuses(FULL.replace("v1\n", "v2\n"), "pods.yaml:1: apiVersion: expected v1, found \"v2\"");
    refuses(
        FULL.replace("name: web.1", "nam: x"),
        "pods.yaml:4: metadata: expected a known key, found \"nam\", did you mean name?");
    refuses(
        FULL.replace("web.1", "../web"),
        "pods.yaml:4: metadata.name: expected a name of a-z, 0-9, - and . that begins and ends with"
            + " one of a-z, 0-9, found \"../web\"");
    refuses(
        FULL.replace("0e1f-2", "../x"),
        "pods.yaml:6: metadata.uid: expected 1 to 128 letters, digits, -, _ and . that begin with a"
            + " letter or digit, found \"../x\"");
    refuses(
        FULL.replace("name: app", "name: a/b"),
        "pods.yaml:17: spec.containers[0].name: expected 1 to 63 of a-z, 0-9 and - that begin and"
            + " end with one of a-z, 0-9, found \"a/b\"");
    refuses(
        FULL.replace("name: app", "name: proxy"),
        "pods.yaml:17: spec.containers[0].name: expected every container of a pod once, found"
            + " \"proxy\" again, first at pods.yaml:13");
    refuses(
        FULL.replace("name: debug", "name: app"),
        "pods.yaml:23: spec.ephemeralContainers[0].name: expected every container of a pod once,"
            + " found \"app\" again, first at pods.yaml:17");
    refuses(
        FULL.replace("Always", "always"),
        "pods.yaml:14: spec.initContainers[1].restartPolicy: expected Always, OnFailure or Never,"
            + " found \"always\"");
    refuses(
        FULL.replace("- name: debug", "- {name: debug, resources: {limits: {cpu: 1}}}"),
        "pods.yaml:23: spec.ephemeralContainers[0].resources: expected none in an ephemeral"
            + " container, found some");
    refuses(
        FULL.replace("  containers:", "  container:"),
        "pods.yaml:16: spec: expected a known key, found \"container\", did you mean containers?");
    refuses(
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: []}}",
        "pods.yaml:1: spec.containers: expected at least one container, found none");
    refuses(
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {}}",
        "pods.yaml:1: spec: expected containers in it, found none");
    refuses("{apiVersion: v1, kind: Pod}", "pods.yaml:1: expected metadata in it, found none");
  }

  /** Whatever becomes of a file, it is read or refused in one line. */
  @Test
  void mutatedPodsAreReadOrRefused() {
    long seed = System.nanoTime();
    System.out.println("PodManifestTest seed " + seed);
    Random random = new Random(seed);
    String alphabet = "{}[]:-&*!|'\"#,?\n\t ax019./MGie~";
    int read = 0;
    for (int i = 0; i < 10_000; i++) {
      StringBuilder mutated = new StringBuilder(FULL);
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        char other = alphabet.charAt(random.nextInt(alphabet.length()));
        mutated.setCharAt(random.nextInt(mutated.length()), other);
      }
      try {
        read += read(mutated.toString()).size();
      } catch (InvalidInputException e) {
        assertThat(e.line()).startsWith("pods.yaml").hasLineCount(1);
      }
    }
    assertThat(read).isBetween(1, 10_000);
  }
}
