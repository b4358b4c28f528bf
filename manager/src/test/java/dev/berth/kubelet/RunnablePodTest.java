package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.Launch.User;
import dev.berth.workload.Container.Role;
import dev.berth.workload.CpuWish;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunnablePodTest {
  private static final String FULL =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: db, namespace: prod, labels: {app: db}}
      spec:
        restartPolicy: OnFailure
        terminationGracePeriodSeconds: 5
        hostNetwork: true
        nodeSelector: {disk: fast}
        securityContext: {runAsUser: 1000, runAsGroup: 2000}
        initContainers:
        - {name: prepare, command: [mkdir, -p, /srv/db]}
        - {name: ship, restartPolicy: Always, command: [logger]}
        containers:
        - name: server
          image: postgres:18
          command: [postgres, "$(ROLE)"]
          args: ["-D", "$(DATA)/$(ABSENT)", "$$(DATA)"]
          workingDir: /srv
          env:
          - {name: DATA, value: /srv/db}
          - {name: ROLE, value: "at $(DATA)"}
          - {name: EMPTY}
          securityContext: {runAsUser: 7, runAsNonRoot: true}
          resources: {limits: {cpu: 2, memory: 1Gi}}
      """;

  private static RunnablePod one(String yaml) {
    return RunnablePod.read("pod.yaml", yaml).getFirst();
  }

  private static String container(String fields) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: p}
    spec: {containers: [{name: c, command: [sleep], %s}]}
    """
        .formatted(fields);
  }

  @Test
  void readsHowEveryContainerIsStarted() {
    RunnablePod pod = one(FULL);
    assertThat(pod.restart()).isEqualTo(RestartPolicy.ON_FAILURE);
    assertThat(pod.grace()).isEqualTo(Duration.ofSeconds(5));
    assertThat(pod.uid()).isEqualTo("prod_db");
    assertThat(pod.launches())
        .containsExactly(
            new Launch(
                "prepare",
                Role.INIT,
                List.of("mkdir", "-p", "/srv/db"),
                Map.of(),
                "/",
                Optional.of(new User(1000, 2000))),
            new Launch(
                "ship",
                Role.SIDECAR,
                List.of("logger"),
                Map.of(),
                "/",
                Optional.of(new User(1000, 2000))),
            new Launch(
                "server",
                Role.APP,
                List.of("postgres", "at /srv/db", "-D", "/srv/db/$(ABSENT)", "$(DATA)"),
                Map.of("DATA", "/srv/db", "ROLE", "at /srv/db", "EMPTY", ""),
                "/srv",
                Optional.of(new User(7, 2000))));
    assertThat(pod.warnings())
        .containsExactly(
            "pod.yaml:8: spec.nodeSelector has no meaning on a single node, passed over",
            "pod.yaml:15: image of container server is not used: its command runs on the host's"
                + " own root");
  }

  @Test
  void whatIsLeftOutIsAsKubernetesHasIt() {
    RunnablePod pod = one(container(""));
    assertThat(pod.restart()).isEqualTo(RestartPolicy.ALWAYS);
    assertThat(pod.grace()).isEqualTo(Duration.ofSeconds(30));
    assertThat(pod.launches().getFirst().user()).isEmpty();
    assertThat(pod.warnings()).isEmpty();
  }

  private static RunnablePod annotated(String annotations, String resources) {
    return one(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {"
            + annotations
            + "}}\nspec: {containers: [{name: a, command: [x], resources: "
            + resources
            + "}]}\n");
  }

  @Test
  void saysWhetherItsCpusStayAwake() {
    String own = "{limits: {cpu: 1, memory: 1Mi}}";
    RunnablePod pod = annotated("cpus.berth.dev/awake: 'true', other.dev/x: y", own);
    assertThat(pod.wishes()).containsExactly(CpuWish.AWAKE);
    assertThat(pod.warnings()).isEmpty();
    assertThat(RunnablePod.read("again", pod.text()).getFirst().wishes())
        .containsExactly(CpuWish.AWAKE);
    assertThat(annotated("cpus.berth.dev/awake: 'false'", own).wishes()).isEmpty();
    assertThat(annotated("cpus.berth.dev/awake: 'true'", "{}").warnings())
        .containsExactly(
            "pod.yaml:3: cpus.berth.dev/awake has no effect, since no container asks for CPUs of"
                + " its own");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cpus.berth.dev/awake: 'yes' | cpus.berth.dev/awake: expected true or false, found "yes"
          cpus.berth.dev/awake: [a]   | cpus.berth.dev/awake: expected a single value, found a list
          cpus.berth.dev/awaek: x     | cpus.berth.dev/awaek: expected cpus.berth.dev/awake or cpus.berth.dev/undisturbed, found "cpus.berth.dev/awaek"
          """)
  void refusesWhatItDoesNotUnderstandAboutItsCpus(String annotation, String line) {
    assertThatThrownBy(() -> annotated(annotation, "{}"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("pod.yaml:3: metadata.annotations." + line);
  }

  @Test
  void itsTextReadsAsTheSamePod() {
    RunnablePod pod = one(FULL);
    RunnablePod again = RunnablePod.read("again", pod.text()).getFirst();
    assertThat(again.launches()).isEqualTo(pod.launches());
    assertThat(again.manifest().pod()).isEqualTo(pod.manifest().pod());
    assertThat(again.text()).isEqualTo(pod.text()).doesNotContain("\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\\x7f\\x01\\u2028\\ufeff", "\\\"quoted\\\\", "snowman ☃ 🚢", "[{", "null", "010"})
  void anyTextSurvivesItsJson(String written) {
    RunnablePod pod = one(container("args: [\"" + written + "\"]"));
    RunnablePod again = RunnablePod.read("again", pod.text()).getFirst();
    assertThat(again.launches()).isEqualTo(pod.launches());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          volumeMounts: []              | spec.containers[0].volumeMounts: expected what the embedded runtime can do, found volumeMounts, which would be without effect
          livenessProbe: {}             | spec.containers[0].livenessProbe: expected what the embedded runtime can do
          envFrom: []                   | spec.containers[0].envFrom: expected what
          securityContext: {privileged: true} | spec.containers[0].securityContext.privileged: expected what
          securityContext: {runAsUser: -1} | runAsUser: expected a number from 0 to 2147483647, found "-1"
          securityContext: {runAsUser: 99999999999} | found "99999999999"
          securityContext: {runAsGroup: 3} | runAsGroup: expected runAsUser beside it, found none
          securityContext: {runAsNonRoot: true} | runAsNonRoot: expected runAsUser beside it that is not 0
          workingDir: here              | workingDir: expected a path from the root on, found "here"
          env: [{name: 1A}]             | expected a name of letters
          env: [{name: a.b}]            | expected a name of letters, digits and _
          env: [{name: berth_x}]        | expected a name of letters, digits and _
          env: [{name: A, valueFrom: x}] | expected a known key, found "valueFrom"
          args: ["\\0"]                 | expected text without a zero character
          """)
  void refusesWhatItCannotHonour(String fields, String words) {
    assertThatThrownBy(() -> one(container(fields)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("pod.yaml:4: ")
        .hasMessageContaining(words);
  }

  @Test
  void refusesAPodWithoutACommand() {
    String yaml = container("").replace("command: [sleep],", "args: [x],");
    assertThatThrownBy(() -> one(yaml))
        .hasMessage(
            "pod.yaml:4: spec.containers[0]: expected a command, since no image is there to bring"
                + " one, found none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"volumes: []", "activeDeadlineSeconds: 3", "runtimeClassName: kata"})
  void refusesFieldsOfThePodThatItCannotHonour(String field) {
    String yaml = container("").replace("spec: {", "spec: {" + field + ", ");
    assertThatThrownBy(() -> one(yaml)).hasMessageContaining("which would be without effect");
  }

  @Test
  void refusesANameThatIsTooLongForAGroup() {
    String name = "p".repeat(60) + "." + "q".repeat(60);
    String yaml = container("").replace("{name: p}", "{name: " + name + "}");
    assertThatThrownBy(() -> one(yaml))
        .hasMessage(
            "pod.yaml:3: metadata: expected at most 128 characters of NAMESPACE_NAME or uid, found"
                + " 129");
    assertThat(one(yaml.replace("pq", "q").replace("p.", ".")).uid()).hasSize(128);
  }

  @Test
  void restartsByPolicy() {
    assertThat(RestartPolicy.ALWAYS.again(0)).isTrue();
    assertThat(RestartPolicy.ON_FAILURE.again(0)).isFalse();
    assertThat(RestartPolicy.ON_FAILURE.again(1)).isTrue();
    assertThat(RestartPolicy.NEVER.again(1)).isFalse();
  }
}
