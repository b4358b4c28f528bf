package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates;
import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.MemoryCheckpoint;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Assignments;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StateCommandTest {
  private static final String SPEC = "pack:1 node:2(memory=4GiB) l3:2 core:2 pu:1";
  private static final String CONFIG =
      """
      topologyManagerPolicy: best-effort
      memoryManagerPolicy: Static
      reservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}]
      """;

  private final Captured captured = new Captured();

  @TempDir Path folder;

  /** A machine of 8 CPUs where two pods have 2 each. */
  @BeforeEach
  void fill() throws IOException {
    Machine machine = Machines.parse(SPEC);
    Configuration configuration = NodeSettings.read("", CONFIG, List.of()).configuration();
    Node node = Node.start(machine, configuration);
    node.admit(Pod.guaranteed("one", 2));
    node.admit(Pod.guaranteed("two", 2));
    write("cpu_manager_state", CpuCheckpoint.of(node.assignments(), FeatureGates.DEFAULTS).write());
    write(
        "memory_manager_state",
        MemoryCheckpoint.of(node.memoryAssignments().orElseThrow(), FeatureGates.DEFAULTS).write());
    write("berth.yaml", CONFIG);
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void showsWhoHasWhat() {
    assertThat(captured.berth("state", "show", path("cpu_manager_state"))).isEqualTo(0);
    assertThat(captured.out())
        .isEqualTo(
            """
            cpu_manager_state: format v2, policy static
              pod  container      cpus     count
              -    (shared pool)  0,3,6-7  4
              one  app            1-2      2
              two  app            4-5      2
            """);
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void showsNodesAndCachesOfAMachineAndMemoryToo() {
    assertThat(captured.berth("state", "show", folder.toString(), "--machine", SPEC)).isEqualTo(0);
    assertThat(captured.out())
        .isEqualTo(
            """
            cpu_manager_state: format v2, policy static
              pod  container      cpus     count  nodes  L3
              -    (shared pool)  0,3,6-7  4      0,1    0,1,3
              one  app            1-2      2      0      0,1
              two  app            4-5      2      1      2

            memory_manager_state: format v1, policy Static
              node  type    allocatable  given       free        used with
              0     memory  3221225472   1073741824  2147483648  0
              1     memory  4294967296   1073741824  3221225472  1
              pod  container  type    bytes       nodes
              one  app        memory  1073741824  0
              two  app        memory  1073741824  1
            """);
  }

  @Test
  void showsJsonAlone() {
    assertThat(captured.berth("state", "show", folder.toString(), "--machine", SPEC, "-o", "json"))
        .isEqualTo(0);
    JsonNode json = JsonMapper.shared().readTree(captured.out());
    assertThat(json.at("/cpus/containers/1").toString())
        .isEqualTo(
            "{\"pod\":\"two\",\"container\":\"app\",\"cpus\":\"4-5\",\"nodes\":[1],\"caches\":[2]}");
    assertThat(json.at("/cpus/shared/cpus").stringValue()).isEqualTo("0,3,6-7");
    assertThat(json.at("/memory/nodes/0/types/memory/free").longValue()).isEqualTo(2L << 30);
    assertThat(json.at("/memory/containers/0/blocks/0").toString())
        .isEqualTo("{\"type\":\"memory\",\"bytes\":1073741824,\"nodes\":[0]}");
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void aStateThatANodeCouldStartFromPasses() {
    String[] line = {
      "state", "check", folder.toString(), "--machine", SPEC, "--config", path("berth.yaml")
    };
    assertThat(captured.berth(line)).as(captured.err()).isEqualTo(0);
    assertThat(captured.out())
        .isEqualTo("cpu_manager_state: all rules hold\nmemory_manager_state: all rules hold\n");
  }

  @Test
  void withoutAConfigurationMemoryIsOnlyRead() {
    assertThat(captured.berth("state", "check", path("memory_manager_state"), "--machine", SPEC))
        .isEqualTo(0);
    assertThat(captured.out())
        .isEqualTo(
            "memory_manager_state: format and checksum hold; accounts need --config to check\n");
  }

  @Test
  void everyBrokenRuleIsALine() throws IOException {
    Assignments broken =
        Assignments.of(
            CpuPolicy.STATIC,
            CpuSet.parse("3-7,9"),
            Map.of("one", Map.of("app", CpuSet.parse("0-2")), "two", Map.of("app", CpuSet.of(2))));
    String file = write("saved", CpuCheckpoint.of(broken, FeatureGates.DEFAULTS).write());
    assertThat(captured.berth("state", "check", file, "--machine", SPEC)).isEqualTo(1);
    assertThat(captured.out())
        .isEqualTo(
            """
            cpu_manager_state: pod one has reserved CPUs: 0
            cpu_manager_state: pod two has CPUs of another pod: 2
            cpu_manager_state: foreign: not this machine's to give: 9
            """);
  }

  @Test
  void flagsDecideWhatHolds() {
    String file = path("cpu_manager_state");
    assertThat(captured.berth("state", "check", file, "--machine", SPEC, "--reserved-cpus", "2"))
        .isEqualTo(1);
    assertThat(
            captured.berth(
                "state", "check", file, "--machine", SPEC, "--cpu-manager-policy", "none"))
        .isEqualTo(1);
    assertThat(
            captured.berth(
                "state",
                "check",
                file,
                "--machine",
                SPEC,
                "--cpu-manager-policy-options",
                "strict-cpu-reservation=true,full-pcpus-only=true",
                "--topology-manager-policy",
                "restricted",
                "--topology-manager-scope",
                "pod",
                "--topology-manager-policy-options",
                "prefer-closest-numa-nodes=true",
                "--feature-gates",
                "CPUManagerPolicyAlphaOptions=true",
                "--cpu-manager-reconcile-period",
                "5s"))
        .isEqualTo(1);
    assertThat(captured.out())
        .isEqualTo(
            """
            cpu_manager_state: pod one has reserved CPUs: 2
            cpu_manager_state: expected policy none, found static
            cpu_manager_state: foreign: not this machine's to give: 0
            """);
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void aCheckAsJsonIsJsonAlone() {
    String[] line = {"state", "check", folder.toString(), "--machine", "epyc-7702p", "-o", "json"};
    assertThat(captured.berth(line)).isEqualTo(1);
    JsonNode json = JsonMapper.shared().readTree(captured.out());
    assertThat(json.at("/ok").booleanValue()).isFalse();
    assertThat(json.at("/broken/0").stringValue())
        .isEqualTo("cpu_manager_state: lost: in no pool and with no pod: 8-127");
  }

  @Test
  void accountsThatDoNotAddUpAreTold() throws IOException {
    write("berth.yaml", CONFIG.replace("1Gi", "2Gi"));
    String[] line = {
      "state", "check", folder.toString(), "--machine", SPEC, "--config", path("berth.yaml")
    };
    assertThat(captured.berth(line)).isEqualTo(1);
    assertThat(captured.out().lines().toList())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("memory_manager_state: memory assignments: node 0: memory ");
  }

  @Test
  void underPolicyNoneNobodyHasAnything() throws IOException {
    String none =
        CpuCheckpoint.of(
                Assignments.of(CpuPolicy.NONE, CpuSet.EMPTY, Map.of()), FeatureGates.DEFAULTS)
            .write();
    String some =
        CpuCheckpoint.of(
                Assignments.of(
                    CpuPolicy.NONE, CpuSet.EMPTY, Map.of("p", Map.of("c", CpuSet.of(1)))),
                FeatureGates.DEFAULTS)
            .write();
    String[] line = {
      "state", "check", write("none", none), "--machine", SPEC, "--cpu-manager-policy=none"
    };
    assertThat(captured.berth(line)).isEqualTo(0);
    line[2] = write("some", some);
    assertThat(captured.berth(line)).isEqualTo(1);
    assertThat(captured.out())
        .isEqualTo(
            "cpu_manager_state: all rules hold\n"
                + "cpu_manager_state: expected nobody to have CPUs under policy none, found some"
                + " who do\n");
  }

  @Test
  void aNodeCanBeginWithAnEmptyState() throws IOException {
    String empty =
        CpuCheckpoint.of(
                Assignments.of(CpuPolicy.STATIC, CpuSet.EMPTY, Map.of()), FeatureGates.DEFAULTS)
            .write();
    assertThat(captured.berth("state", "check", write("empty", empty), "--machine", SPEC))
        .isEqualTo(0);
    assertThat(captured.out()).isEqualTo("cpu_manager_state: all rules hold\n");
  }

  @Test
  void whatCannotBeReadIsOneLineAndExits2() throws IOException {
    String good = Files.readString(folder.resolve("cpu_manager_state"));
    String tampered = write("tampered", good.replace("1-2", "1-3"));
    String torn = write("torn", good.substring(0, 20));
    String bytes = folder.resolve("bytes").toString();
    Files.write(Path.of(bytes), new byte[] {(byte) 0xff, 0});
    Path empty = Files.createDirectory(folder.resolve("empty"));
    for (String file : List.of(tampered, torn, bytes, empty.toString(), path("missing"))) {
      var each = new Captured();
      assertThat(each.berth("state", "show", file)).isEqualTo(2);
      assertThat(each.berth("state", "check", file, "--machine", SPEC)).isEqualTo(2);
      assertThat(each.out()).isEmpty();
      assertThat(each.err().lines())
          .hasSize(2)
          .allMatch(line -> line.startsWith("berth: " + file + ": "));
    }
  }

  @Test
  void aBadConfigurationIsOneLineAndExits2() throws IOException {
    String file = path("cpu_manager_state");
    String config = write("bad.yaml", "cpuManagerPolicy: dynamic\n");
    captured.berth("state", "check", file, "--machine", SPEC, "--config", config);
    captured.berth("state", "check", file, "--machine", SPEC, "--config", folder.toString());
    captured.berth("state", "check", file, "--machine", SPEC, "--reserved-cpus", "99");
    captured.berth("state", "check", file, "--machine", SPEC, "--topology-manager-scope", "node");
    captured.berth("state", "check");
    assertThat(captured.berth("state")).isEqualTo(2);
    assertThat(captured.err())
        .isEqualTo(
            "berth: "
                + config
                + ":1: cpuManagerPolicy: expected none or static, found \"dynamic\"\nberth: "
                + folder
                + ": expected a file, found a folder\n"
                + """
                berth: reservedSystemCPUs: expected CPUs of 0-7, found 99
                berth: --topology-manager-scope: expected container or pod, found "node"
                berth: missing required parameter: 'FILE|DIR' (see berth state check --help)
                berth: missing command (see berth state --help)
                """);
  }

  @Test
  void helpIsThereForEveryCommand() {
    assertThat(captured.berth("state", "check", "--help")).isEqualTo(0);
    assertThat(captured.out())
        .startsWith("Usage: berth state check")
        .contains("--cpu-manager-policy-options=NAME=VALUE,...", "Exit code 1");
  }

  @Test
  void theMemoryPolicyMustBeTheSame() throws IOException {
    String config = write("none.yaml", "memoryManagerPolicy: None\n");
    String[] line = {
      "state", "check", path("memory_manager_state"), "--machine", SPEC, "--config", config
    };
    assertThat(captured.berth(line)).isEqualTo(1);
    assertThat(captured.out())
        .isEqualTo(
            "memory_manager_state: expected policy "
                + MemorySettings.Policy.NONE.kubernetesName()
                + ", found Static\n");
  }
}
