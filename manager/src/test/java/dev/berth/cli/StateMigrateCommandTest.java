package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.state.Recovered;
import dev.berth.agent.state.StateFolder;
import dev.berth.allocation.FeatureGates;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StateMigrateCommandTest {
  private static final String SPEC = "pack:1 node:2(memory=4GiB) l3:2 core:2 pu:1";
  private static final String MEMORY =
      """
      memoryManagerPolicy: Static
      reservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}]
      """;

  private final Captured captured = new Captured();

  @TempDir Path folder;

  private static Node node(String config) {
    return Node.start(
        Machines.parse(SPEC), NodeSettings.read("", config, List.of()).configuration());
  }

  /** Two pods of 2 CPUs, written by the agent. */
  private void ours(String config) throws IOException {
    Node node = node(config);
    try (StateFolder state = StateFolder.open(folder)) {
      state.settled("boot-1", node, Map.of());
      for (String uid : List.of("one", "two")) {
        node.admit(Pod.guaranteed(uid, 2));
        state.admitted(Pod.guaranteed(uid, 2), "{\"spec\":\"" + uid + "\"}", node);
      }
    }
  }

  /** The same in a folder of a kubelet. */
  private void kubelets() throws IOException {
    Node node = node("");
    node.admit(Pod.guaranteed("one", 2));
    node.admit(Pod.guaranteed("two", 2));
    Files.writeString(
        folder.resolve("cpu_manager_state"),
        CpuCheckpoint.of(node.assignments(), FeatureGates.DEFAULTS).write());
  }

  private int migrate(String... more) {
    String[] line = {"state", "migrate", folder.toString(), "--machine", SPEC};
    return captured.berth(Stream.of(line, more).flatMap(Arrays::stream).toArray(String[]::new));
  }

  private String file(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  @Test
  void underTheSameRulesEverybodyStays() throws IOException {
    ours("");
    String before = file("berth_state");
    assertThat(migrate()).isEqualTo(0);
    assertThat(captured.out())
        .isEqualTo(
            """
            kept one: 1-2
            kept two: 4-5
            2 kept, 0 moved, 0 displaced
            """);
    assertThat(captured.err())
        .isEqualTo("state: 2 pods kept from berth_state, checkpoints agree\n");
    assertThat(file("berth_state")).isEqualTo(before);
  }

  @Test
  void showsThePlanAndWritesNothingUnlessTold() throws IOException {
    ours("");
    String before = file("berth_state") + file("cpu_manager_state");
    assertThat(migrate("--reserved-cpus", "0-1")).isEqualTo(0);
    assertThat(captured.out())
        .isEqualTo(
            """
            moved one: 1-2 -> 2-3: CPU 1 is reserved now
            kept two: 4-5
            1 kept, 1 moved, 0 displaced
            """);
    assertThat(file("berth_state") + file("cpu_manager_state")).isEqualTo(before);
    assertThat(migrate("--reserved-cpus", "0-1", "--apply")).isEqualTo(0);
    Recovered after = StateFolder.look(folder);
    assertThat(after.holdings().values()).extracting(Holding::allCpus).hasToString("[2-3, 4-5]");
    assertThat(after.bootId()).contains("boot-1");
    assertThat(after.pods().getFirst().spec()).isEqualTo("{\"spec\":\"one\"}");
    assertThat(
            captured.berth(
                "state", "check", folder.toString(), "--machine", SPEC, "--reserved-cpus", "0-1"))
        .isEqualTo(0);
  }

  @Test
  void whoeverLosesCpusIsNamedAndTheExitCodeIsOne() throws IOException {
    ours("");
    assertThat(migrate("--cpu-manager-policy", "none", "-o", "json", "--apply")).isEqualTo(1);
    JsonNode json = JsonMapper.shared().readTree(captured.out());
    assertThat(json.at("/pods/0"))
        .hasToString(
            "{\"pod\":\"one\",\"outcome\":\"displaced\",\"from\":{\"app\":\"1-2\"},\"to\":{},"
                + "\"why\":\"policy none gives nobody CPUs of its own\"}");
    assertThat(json.path("shared").stringValue()).isEqualTo("0-7");
    assertThat(StateFolder.look(folder).pods().getFirst().displaced())
        .contains("policy none gives nobody CPUs of its own");
    assertThat(file("cpu_manager_state")).startsWith("{\"policyName\":\"none\"");
    assertThat(migrate("--apply")).isEqualTo(0);
    assertThat(captured.out())
        .endsWith(
            """
            moved one: - -> 1-2: it is owed more now than it has
            moved two: - -> 4-5: it is owed more now than it has
            0 kept, 2 moved, 0 displaced
            """);
  }

  @Test
  void nothingIsAppliedWhileAnAgentHasTheFolder() throws IOException {
    ours("");
    try (StateFolder state = StateFolder.open(folder)) {
      assertThat(migrate()).isEqualTo(0);
      assertThat(migrate("--apply")).isEqualTo(2);
      assertThat(captured.err())
          .endsWith(
              "berth: state folder "
                  + state.folder()
                  + ": expected nobody else in it, found it in use by process "
                  + ProcessHandle.current().pid()
                  + "\n");
    }
  }

  @Test
  void aKubeletsContainersAskForWhatTheyHave() throws IOException {
    kubelets();
    String before = file("cpu_manager_state");
    assertThat(migrate("--reserved-cpus", "0-1", "--apply")).isEqualTo(0);
    assertThat(captured.out())
        .isEqualTo(
            """
            moved one: 1-2 -> 2-3: CPU 1 is reserved now
            kept two: 4-5
            1 kept, 1 moved, 0 displaced
            """);
    assertThat(captured.err())
        .isEqualTo(folder + ": written, kept aside: cpu_manager_state.aside-1\n");
    assertThat(file("cpu_manager_state.aside-1")).isEqualTo(before);
    assertThat(CpuCheckpoint.read("", file("cpu_manager_state")).entries())
        .hasToString("{one={app=2-3}, two={app=4-5}}");
    assertThat(folder.resolve("berth_state")).doesNotExist();
    assertThat(folder.resolve("lock")).doesNotExist();
  }

  /** Containers that share CPUs have an order that nobody knows: they stay or lose them. */
  @Test
  void whatWouldHaveToBeGuessedIsNotMoved() throws IOException {
    String checkpoint =
        "{\"policyName\":\"static\",\"defaultCpuSet\":\"0,3-7\",\"entries\":{\"p\":{\"app\":\"1-2\","
            + "\"init\":\"1\"}},\"checksum\":0}";
    Files.writeString(folder.resolve("cpu_manager_state"), checkpoint);
    assertThat(migrate()).isEqualTo(0);
    assertThat(migrate("--reserved-cpus", "1")).isEqualTo(1);
    assertThat(captured.out())
        .isEqualTo(
            """
            kept p: 1-2
            1 kept, 0 moved, 0 displaced
            displaced p: 1-2 -> shared: CPU 1 is reserved now
            0 kept, 0 moved, 1 displaced
            """);
  }

  @Test
  void containersByIdAloneAreShownButNotWritten() throws IOException {
    String checkpoint =
        "{\"policyName\":\"static\",\"defaultCpuSet\":\"0,3-7\",\"entries\":{\"abc\":\"1-2\"},"
            + "\"checksum\":0}";
    Path file = Files.writeString(folder.resolve("cpu_manager_state"), checkpoint);
    assertThat(migrate()).isEqualTo(0);
    assertThat(captured.out()).startsWith("kept abc: 1-2\n");
    assertThat(migrate("--apply")).isEqualTo(2);
    assertThat(captured.err())
        .isEqualTo(
            "berth: "
                + file
                + ": expected containers by pod and name, found them by id alone (format v1)\n");
    assertThat(file("cpu_manager_state")).isEqualTo(checkpoint);
  }

  @Test
  void memoryNeedsAConfigurationThatTellsWhatIsReserved() throws IOException {
    ours(MEMORY);
    assertThat(migrate()).isEqualTo(2);
    assertThat(captured.err())
        .endsWith(
            "berth: memory_manager_state: expected --config, which tells how much memory is"
                + " reserved, found none\n");
    Path config = Files.writeString(folder.resolve("berth.yaml"), MEMORY);
    assertThat(migrate("--config", config.toString())).isEqualTo(0);
    assertThat(captured.out()).endsWith("2 kept, 0 moved, 0 displaced\n");
    Files.writeString(config, MEMORY.replace("1Gi", "4Gi"));
    assertThat(migrate("--config", config.toString())).isEqualTo(0);
    assertThat(captured.out())
        .endsWith(
            """
            moved one: 1-2 -> 1-2: memory: node 0: expected at most 0 bytes of memory to be left\
             for it, found 1073741824
            kept two: 4-5
            1 kept, 1 moved, 0 displaced
            """);
  }

  @Test
  void wrongPathsAreNamed() throws IOException {
    String file = Files.createFile(folder.resolve("file")).toString();
    String none = folder.resolve("none").toString();
    assertThat(captured.berth("state", "migrate", none)).isEqualTo(2);
    assertThat(captured.berth("state", "migrate", "--state", file)).isEqualTo(2);
    assertThat(captured.berth("state", "migrate", "--state", file, none)).isEqualTo(2);
    assertThat(migrate()).isEqualTo(2);
    assertThat(captured.err())
        .isEqualTo(
            "berth: "
                + none
                + ": no such file\nberth: "
                + file
                + ": expected a folder, found a file\n"
                + "berth: expected DIR or --state, found both (see berth state migrate --help)\n"
                + "berth: "
                + folder
                + ": expected cpu_manager_state or memory_manager_state in it, found neither\n");
  }
}
