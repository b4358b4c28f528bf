package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.story.Story;
import dev.berth.story.StoryJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateCommandTest {
  static final String MACHINE = "pack:1 node:2(memory=64GiB) l3:2 core:2 pu:2";

  /** Three of four fit for a while, and one never does. */
  static final String PODS =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: db
        annotations:
          simulate.berth.dev/count: "4"
          simulate.berth.dev/every: 30s
          simulate.berth.dev/stays: 100s
      spec: {containers: [{name: app, resources: {limits: {cpu: 4, memory: 1Gi}}}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: huge, namespace: lab, annotations: {simulate.berth.dev/arrives: 20s}}
      spec: {containers: [{name: app, resources: {limits: {cpu: 20, memory: 1Gi}}}]}
      """;

  @TempDir private Path folder = Path.of("");

  private final Captured captured = new Captured();

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private int simulate(String file, String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "simulate";
    arguments[1] = "-f";
    arguments[2] = file;
    System.arraycopy(more, 0, arguments, 3, more.length);
    return captured.berth(arguments);
  }

  @Test
  void tellsWhoSatWhereWhoWasRefusedAndHowWellTheyLay() throws IOException {
    String file = file("pods.yaml", PODS);
    assertThat(simulate(file, "--machine", MACHINE)).isZero();
    assertThat(captured.out().replace(file, "pods.yaml").replace(MACHINE, "MACHINE"))
        .isEqualTo(
            """
            pods.yaml on MACHINE (16 CPUs)
            CPU policy static, topology policy best-effort, scope container
            5 pods came in 3m10s: 3 admitted, 2 refused

            Who got CPUs of their own:
              AT   POD   CONTAINER  NUMA  L3   CPUS
              0s   db-0  app        0     0,1  2-5
              30s  db-1  app        1     2    8-11
              1m   db-2  app        1     3    12-15

            Refused:
              UnexpectedAdmissionError: 2
              20s lab/huge: Allocate failed due to not enough cpus available to satisfy request: requested=20, available=11, which is unexpected
                it would not fit on this machine even if it were empty
                fits with 11 CPUs instead of 20
                moving others cannot help: it asks for 20 CPUs of its own, and this machine has 15 to give when it is empty
              1m30s db-3: Allocate failed due to not enough cpus available to satisfy request: requested=4, available=3, which is unexpected
                fits if pod db-0 or db-1 or db-2 leaves
                fits with 3 CPUs instead of 4
                moving others cannot help: it asks for 4 CPUs and 3 CPUs are free on the whole machine: moving others makes no more, somebody has to leave

            How containers with CPUs of their own lie:
                         IN ONE  WOULD FIT ONE  IN AS FEW AS POSSIBLE
              core       0       0              3 of 3 (100 %)
              L3 cache   2       3              2 of 3 (67 %)
              NUMA node  3       3              3 of 3 (100 %)
              socket     3       3              3 of 3 (100 %)
              2 of 3 pods as compactly as on an empty machine

            Over time:
              CPUs given away             ▃▃▃▃▄▅▅▅▆▇▇▇▇▆▅▅▅▄▃▃▃▂▁▁▁▁  mean 42 %, most 80 %
              fragmentation by NUMA node  ▁▁▁▁▃▄▄▄▁▁▁▁▁▁▁▁▁▁▂▂▂▁▁▁▁▁  mean 9 %, most 43 %
              fragmentation by L3 cache   ▁▁▁▁▁▁▁▁▂▃▃▃▃▂▁▁▁▁▁▁▁▁▁▁▁▁  mean 7 %, most 33 %
            """);
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void comparesConfigurationsAndRecommendsOne() throws IOException {
    String file = file("pods.yaml", PODS);
    assertThat(simulate(file, "--machine", MACHINE, "--compare")).isZero();
    String text =
        captured
            .out()
            .replace(file, "pods.yaml")
            .replace(MACHINE, "MACHINE")
            .replaceAll("[0-9]+\\.[0-9] s", "TIME");
    assertThat(text)
        .isEqualTo(
            """
            pods.yaml on MACHINE (16 CPUs)
            as given: CPU policy static, topology policy best-effort, scope container

               CONFIGURATION                   IN  OUT  COMPACT  CORE  L3    NUMA  FRAG  USE  TIME
               packed, best-effort (given)     3   2    2        100%  66%   100%  9%    42%  TIME
               policy none                     5   0    -        -     -     -     -     -    TIME
               packed                          3   2    0        100%  0%    66%   16%   42%  TIME
               packed, restricted              3   2    2        100%  66%   100%  9%    42%  TIME
               packed, single-numa-node        3   2    2        100%  66%   100%  9%    42%  TIME
               whole cores, best-effort        3   2    2        100%  66%   100%  9%    42%  TIME
               whole cores, restricted         3   2    2        100%  66%   100%  9%    42%  TIME
               whole cores, single-numa-node   3   2    2        100%  66%   100%  9%    42%  TIME
            *  prefer L3, best-effort          3   2    3        100%  100%  100%  9%    42%  TIME
               prefer L3, restricted           3   2    3        100%  100%  100%  9%    42%  TIME
               strict L3, best-effort          3   2    3        100%  100%  100%  9%    42%  TIME
               strict L3, restricted           3   2    3        100%  100%  100%  9%    42%  TIME
               cores and L3, best-effort       3   2    3        100%  100%  100%  9%    42%  TIME
               cores and L3, restricted        3   2    3        100%  100%  100%  9%    42%  TIME
               cores and L3, single-numa-node  3   2    3        100%  100%  100%  9%    42%  TIME
               across NUMA, best-effort        3   2    2        100%  66%   100%  9%    42%  TIME
               across cores, best-effort       3   2    2        66%   66%   100%  9%    42%  TIME
               by socket, restricted           3   2    0        100%  0%    66%   16%   42%  TIME

            IN, OUT: pods admitted and refused. COMPACT: pods with CPUs of their own that
            lie as on an empty machine. CORE, L3, NUMA: containers in as few of these as
            possible. FRAG: of the free CPUs by NUMA node, mean. USE: CPUs given away, mean.

            Left out:
              prefer-closest-numa-nodes has no effect on this machine: it has fewer than 3 NUMA nodes
              scope pod is as scope container: no pod has several containers

            Recommended: prefer L3, best-effort
              prefer L3, best-effort refuses 2 of 5, and all 3 with CPUs of their own lie as
              compactly as on an empty machine.
              The configuration as given refuses as many and leaves 1 less compact.

                cpuManagerPolicy: static
                cpuManagerPolicyOptions: {prefer-align-cpus-by-uncorecache: "true"}
                reservedSystemCPUs: "0"
                topologyManagerPolicy: best-effort
                topologyManagerScope: container
            """);
  }

  @Test
  void jsonIsAStoryWithFiguresBesideIt() throws IOException {
    assertThat(simulate(file("pods.yaml", PODS), "--machine", MACHINE, "-o", "json")).isZero();
    Story story = StoryJson.read("out", captured.out());
    assertThat(story.pods()).extracting(Story.Told::name).contains("db-0", "db-3", "huge");
    assertThat(story.steps().getFirst().why()).isNotEmpty();
    JsonNode figures = JsonMapper.shared().readTree(captured.out()).path("figures");
    assertThat(figures.path("admitted").intValue()).isEqualTo(3);
    assertThat(figures.path("refused").intValue()).isEqualTo(2);
    assertThat(figures.path("alignment").path("l3").path("containers").intValue()).isEqualTo(3);
  }

  @Test
  void aStoryNamesItsMachineAndConfigurationUnlessTheyAreGiven() throws IOException {
    String pods = file("pods.yaml", PODS);
    simulate(pods, "--machine", MACHINE, "--topology-manager-policy", "restricted", "-o", "json");
    String story = file("story.json", captured.out());

    Captured again = new Captured();
    assertThat(again.berth("simulate", "-f", story)).isZero();
    assertThat(again.out()).contains("(16 CPUs)").contains("topology policy restricted");

    Captured other = new Captured();
    assertThat(
            other.berth(
                "simulate",
                "-f",
                story,
                "--machine",
                "epyc-7702p",
                "--cpu-manager-policy-options",
                "full-pcpus-only=true"))
        .isZero();
    assertThat(other.out())
        .contains("on epyc-7702p (128 CPUs)")
        .contains("static (full-pcpus-only), topology policy restricted")
        .contains("5 admitted, 0 refused");
  }

  @Test
  void comparedJsonHasEveryConfigurationAsYaml() throws IOException {
    String file = file("pods.yaml", PODS);
    assertThat(simulate(file, "--machine", MACHINE, "--compare", "-o", "json")).isZero();
    JsonNode json = JsonMapper.shared().readTree(captured.out());
    assertThat(json.path("configurations").size()).isGreaterThan(8);
    assertThat(json.path("configurations").get(0).path("configuration").stringValue())
        .contains("cpuManagerPolicy: static");
    assertThat(json.path("recommended").stringValue()).isNotEmpty();
    assertThat(json.path("why").size()).isPositive();
  }

  @Test
  void theSameSeedIsTheSameAnswer() throws IOException {
    String random = PODS.replace("every: 30s", "every: poisson 30s");
    String file = file("pods.yaml", random);
    simulate(file, "--machine", MACHINE, "--seed", "5");
    Captured again = new Captured();
    again.berth("simulate", "-f", file, "--machine", MACHINE, "--seed", "5");
    Captured other = new Captured();
    other.berth("simulate", "-f", file, "--machine", MACHINE, "--seed", "6");
    assertThat(again.out()).isEqualTo(captured.out()).isNotEqualTo(other.out());
  }

  @Test
  void aRefusalIsAnAnswerAndAPodThatNeverFitsIsToldWhatToDo() throws IOException {
    String one = PODS.substring(PODS.indexOf("---"));
    // With two containers of the kind, no other size of one of them is tried.
    String part = one.substring(one.indexOf("{name: app"), one.indexOf("]}"));
    String huge = one.replace("]}", ", " + part.replace("app", "second") + "]}");
    assertThat(simulate(file("pods.yaml", huge), "--machine", MACHINE)).isZero();
    assertThat(captured.out())
        .contains("it would not fit on this machine even if it were empty")
        .contains("have it ask for less, or try another --machine or configuration (--compare)");
  }

  @Test
  void wrongInputIsOneLineAndExitCodeTwo() throws IOException {
    assertThat(simulate(file("pods.yaml", PODS.replace("count:", "counts:")))).isEqualTo(2);
    assertThat(captured.err()).contains("did you mean simulate.berth.dev/count?").hasLineCount(1);
    Captured missing = new Captured();
    assertThat(missing.berth("simulate", "-f", folder.resolve("none").toString())).isEqualTo(2);
    assertThat(missing.err()).endsWith("none: no such file\n");
    Captured option = new Captured();
    assertThat(option.berth("simulate", "-f", "x", "--compares")).isEqualTo(2);
    assertThat(option.err()).contains("unknown option '--compares'").contains("--compare");
    Captured nothing = new Captured();
    assertThat(nothing.berth("simulate")).isEqualTo(2);
    assertThat(nothing.err()).contains("expected -f WORKLOAD");
    Captured seed = new Captured();
    assertThat(seed.berth("simulate", "-f", "x", "--seed", "y")).isEqualTo(2);
    assertThat(seed.err()).contains("--seed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--compare"})
  void everyLineFitsANarrowTerminalAndNothingIsCutInAFile(String more) throws IOException {
    String pods = file("pods.yaml", PODS.replace("cpu: 4", "cpu: 13"));
    List<String> line = new ArrayList<>(List.of("simulate", "-f", pods));
    line.addAll(List.of("--machine", "epyc-9654-2p-nps4"));
    line.addAll(more.isEmpty() ? List.of() : List.of(more));
    var bytes = new ByteArrayOutputStream();
    var stream = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    for (int width : new int[] {40, 60, 80}) {
      bytes.reset();
      assertThat(Main.run(line, new Output(stream, stream, true, false, width), Map.of())).isZero();
      stream.flush();
      // But for a path, and for what is to be copied into a file.
      assertThat(
              bytes
                  .toString(StandardCharsets.UTF_8)
                  .lines()
                  .filter(text -> !text.startsWith("/") && !text.startsWith("    ")))
          .hasSizeGreaterThan(8)
          .allSatisfy(text -> assertThat(text.length()).isLessThanOrEqualTo(width));
    }
    assertThat(captured.berth(line.toArray(String[]::new))).isZero();
    assertThat(captured.out()).doesNotContain("…");
  }

  private static String pod(String name, int cpus, String annotation) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s, annotations: {%s}}
    spec: {containers: [{name: app, resources: {limits: {cpu: %d, memory: 1Gi}}}]}
    ---
    """
        .formatted(name, annotation, cpus);
  }

  private String refusals(String pods) throws IOException {
    String machine = "pack:1 node:2(memory=64GiB) l3:1 core:8 pu:1";
    assertThat(
            simulate(
                file("pods.yaml", pods),
                "--machine",
                machine,
                "--topology-manager-policy",
                "restricted"))
        .isZero();
    String text = captured.out();
    return text.substring(text.indexOf("Refused:"), text.indexOf("How containers"));
  }

  @Test
  void saysWhomToMoveSoThatARefusedPodFits() throws IOException {
    String before = pod("gone", 4, "simulate.berth.dev/stays: 10m") + pod("a", 3, "");
    String late = pod("late", 6, "simulate.berth.dev/arrives: 20m");
    assertThat(refusals(before + pod("b", 4, "") + late))
        .isEqualTo(
            """
            Refused:
              TopologyAffinityError: 1
              20m late: Resources cannot be allocated with Topology locality
                fits if pod a or b leaves
                fits with topology policy best-effort
                fits with 4 CPUs instead of 6
                fits if 1 pod moves; nobody has to stop, one step after the other:
                  move a from CPUs 5-7 to 12-14
                  let late in: CPUs 1-6
                  or by hand, with the same end: remove a, apply late a

            """);
  }

  @Test
  void saysThatNoMovingWouldHaveHelped() throws IOException {
    assertThat(refusals(pod("a", 5, "") + pod("b", 4, "") + pod("late", 5, "")))
        .contains(
            "    moving others cannot help: every choice among the 2 pods that could move was tried"
                + " in every order, or ruled out\n");
  }

  @Test
  void predictsRefusalsOfDevicesAndNamesWhatNobodyChecks() throws IOException {
    String pods =
        file(
            "asking.yaml",
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: gpu, annotations: {simulate.berth.dev/count: "3"}}
            spec: {containers: [{name: app, resources: {limits: {cpu: 1, memory: 1Gi, nvidia.com/gpu: 1}}}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: big}
            spec: {containers: [{name: app, resources: {limits: {cpu: 1, memory: 9Ti, hugepages-2Mi: 4Gi}}}]}
            """);
    assertThat(simulate(pods, "--machine", "epyc-7702p")).isZero();
    assertThat(captured.out())
        .contains("4 pods came: 1 admitted, 3 refused")
        .contains("UnexpectedAdmissionError: 3")
        .contains("device plugin of nvidia.com/gpu: expected one that is connected, found none")
        .contains(
            """
            Not checked:
              hugepages-2Mi: 4Gi requested, the machine has none; memory policy None does not count it
              memory: 9Ti requested, the machine has 256Gi; memory policy None does not count it
              hugepages: the agent refuses them where the kernel has no hugetlb controller
            """);
    assertThat(simulate(pods, "--machine", "epyc-7702p", "--compare")).isZero();
    assertThat(captured.out()).contains("memory: 9Ti requested, the machine has 256Gi");
    assertThat(simulate(pods, "--machine", "epyc-7702p", "-o", "json")).isZero();
    assertThat(captured.out()).contains("\"unchecked\":[\"hugepages-2Mi: 4Gi requested");
    assertThat(simulate(pods, "--machine", "epyc-7702p", "-o", "html")).isZero();
    assertThat(captured.out()).contains("memory: 9Ti requested, the machine has 256Gi");
  }
}
