package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Explanations without an agent. */
class ExplainCommandTest {
  private static final String SPEC = "pack:2 node:1(memory=64GiB) core:8 pu:1";
  private static final String CONFIG =
      """
      cpuManagerPolicy: static
      reservedSystemCPUs: '0'
      topologyManagerPolicy: single-numa-node
      """;

  private final Captured captured = new Captured();

  @TempDir Path folder;

  @BeforeEach
  void files() throws IOException {
    Files.writeString(folder.resolve("berth.yaml"), CONFIG);
    Node node =
        Node.start(Machines.parse(SPEC), NodeSettings.read("", CONFIG, List.of()).configuration());
    Stream.of("default_a", "b", "other_c", "d").forEach(uid -> node.admit(Pod.guaranteed(uid, 3)));
    node.remove("b");
    node.remove("d");
    Files.writeString(
        folder.resolve("cpu_manager_state"),
        CpuCheckpoint.of(node.assignments(), FeatureGates.DEFAULTS).write());
  }

  private int explain(int cpus, String... more) throws IOException {
    return explainOn(SPEC, folder.resolve("berth.yaml"), cpus, "1Mi", more);
  }

  private int explainOn(String machine, Path configuration, int cpus, String memory, String... more)
      throws IOException {
    Path file = folder.resolve("pod.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: new}
        spec: {containers: [{name: app, resources: {limits: {cpu: %d, memory: %s}}}]}
        """
            .formatted(cpus, memory));
    return captured.berth(
        Stream.concat(
                Stream.of(
                    "explain",
                    "-f",
                    file.toString(),
                    "--machine",
                    machine,
                    "--config",
                    configuration.toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private String state() {
    return folder.resolve("cpu_manager_state").toString();
  }

  @Test
  void saysWhereAPodWouldSitOnAnEmptyMachine() throws IOException {
    assertThat(explain(4)).isZero();
    assertThat(captured.out())
        .startsWith(
            """
            new would be let in, with CPUs 1-4 to itself

            Where it would sit:
              app: CPUs 1-4, nobody else's; all on NUMA node 0, L3 cache 0 and socket 0

            How it would be decided:
            """);
  }

  @Test
  void takesWhoIsThereFromACheckpointAndSaysWhomToMove() throws IOException {
    assertThat(explain(6, "--state", state())).isEqualTo(1);
    assertThat(captured.out())
        .startsWith(
            """
            new would be refused: all that app asks for has to be on one NUMA node, and no node has it free
              in Kubernetes' words: TopologyAffinityError: Resources cannot be allocated with Topology locality

            What would help:
              fits if 1 pod moves; nobody has to stop, one step after the other:
                move a from CPUs 1-3 to 11-13
                let new in: CPUs 1-6
                or by hand, with the same end: remove a, apply new a
              fits if pod a or other/c leaves
            """);
  }

  @Test
  void takesAFolderAsWell() throws IOException {
    assertThat(explain(6, "--state", folder.toString())).isEqualTo(1);
    assertThat(captured.out()).contains("move a from CPUs 1-3");
  }

  @Test
  void flagsOverrideTheFile() throws IOException {
    assertThat(explain(6, "--state", state(), "--topology-manager-policy", "best-effort")).isZero();
    assertThat(captured.out()).contains("spread over NUMA nodes 0 and 1");
  }

  @Test
  void aPodThatNeverFitsSaysWhatToDoNext() throws IOException {
    assertThat(explain(16)).isEqualTo(1);
    assertThat(captured.out())
        .startsWith(
            """
            new would be refused: it asks for 16 CPUs of its own, and this machine has 15 to give when it is empty
              in Kubernetes' words: TopologyAffinityError: Resources cannot be allocated with Topology locality

            What would help:
              fits with 8 CPUs instead of 16
            """);
  }

  @Test
  void memoryThatNoNodeHasEvenOnAnEmptyMachineIsNotSaidToBeTaken() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("memory.yaml"),
            """
            cpuManagerPolicy: static
            reservedSystemCPUs: "0"
            memoryManagerPolicy: Static
            reservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}]
            topologyManagerPolicy: restricted
            """);
    String machine = "pack:1 node:2(memory=16GiB) core:8 pu:1";
    assertThat(explainOn(machine, file, 2, "20Gi")).isEqualTo(1);
    assertThat(captured.out())
        .startsWith(
            "new would be refused: all that app asks for has to be on one NUMA node, and no node"
                + " has so much, even when the machine is empty\n");
  }

  @Test
  void oneCpuIsNotSeveral() throws IOException {
    assertThat(explain(1)).isZero();
    assertThat(captured.out()).startsWith("new would be let in, with CPU 1 to itself\n");
  }

  @Test
  void programsGetItInParts() throws IOException {
    assertThat(explain(6, "--state", state(), "-o", "json")).isEqualTo(1);
    JsonNode json = new JsonMapper().readTree(captured.out());
    assertThat(json.path("decision").asString()).isEqualTo("refused");
    assertThat(json.path("plan").path("moves").path(0).path("pod").asString()).isEqualTo("a");
    assertThat(json.path("nearMisses").path(0).path("holders").path("other/c").asInt())
        .isEqualTo(3);
    assertThat(json.path("steps")).isNotEmpty();
    assertThat(json.path("offers").path(0).path("preferred").asBoolean()).isFalse();
  }

  @Test
  void wantsAPodOrAFile() {
    assertThat(captured.berth("explain")).isEqualTo(2);
    assertThat(captured.err()).contains("expected POD or -f FILE, and one of them");
    assertThat(captured.berth("explain", "db", "--machine", SPEC)).isEqualTo(2);
    assertThat(captured.err())
        .contains("expected -f FILE beside a machine, a configuration or a state");
  }

  @Test
  void tellsWhoCouldNotKeepItsPlaceUnderTheseSettings() throws IOException {
    assertThat(explain(2, "--state", state(), "--reserved-cpus", "1")).isZero();
    assertThat(captured.err()).startsWith("note: a under these settings: ");
  }

  @Test
  void predictsThatTheAgentRefusesDevicesThatNobodyHas() throws IOException {
    Path file = folder.resolve("gpu.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: gpu}
        spec: {containers: [{name: app, resources: {limits: {cpu: 1, memory: 9Ti, nvidia.com/gpu: 1}}}]}
        """);
    assertThat(captured.berth("explain", "-f", file.toString(), "--machine", "epyc-7702p"))
        .isEqualTo(1);
    assertThat(captured.out())
        .startsWith(
            "gpu would be refused: UnexpectedAdmissionError: device plugin of nvidia.com/gpu:"
                + " expected one that is connected, found none");
    Files.writeString(file, Files.readString(file).replace(", nvidia.com/gpu: 1", ""));
    assertThat(captured.berth("explain", "-f", file.toString(), "--machine", "epyc-7702p"))
        .isZero();
    assertThat(captured.out())
        .contains(
            "not checked: memory: 9Ti requested, the machine has 256Gi; memory policy None does not"
                + " count it");
  }
}
