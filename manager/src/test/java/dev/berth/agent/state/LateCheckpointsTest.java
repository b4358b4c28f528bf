package dev.berth.agent.state;

import static dev.berth.agent.state.Fixture.admit;
import static dev.berth.agent.state.Fixture.files;
import static dev.berth.agent.state.Fixture.node;
import static dev.berth.agent.state.Fixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a runtime waits for every answer, Kubernetes' files follow the journal. */
class LateCheckpointsTest {
  @TempDir Path folder;

  private final Node node = node();

  private void come(StateFolder state, String uid) throws IOException {
    Pod pod = Pod.guaranteed(uid, 1);
    admit(node, pod);
    state.admitted(pod, spec(uid), node);
  }

  @Test
  void theyAreWrittenWhenThereIsTime() throws IOException {
    try (StateFolder state = StateFolder.openApart(folder)) {
      state.settled("boot", node, Map.of());
      String empty = files(folder).get(Checkpoints.CPU);
      assertThat(state.isBehind()).isFalse();
      come(state, "a/app");
      assertThat(state.isBehind()).isTrue();
      assertThat(files(folder)).containsEntry(Checkpoints.CPU, empty);
      state.catchUp(node);
      assertThat(state.isBehind()).isFalse();
      assertThat(files(folder)).isEqualTo(withCheckpoints());
    }
  }

  private Map<String, String> withCheckpoints() {
    Map<String, String> expected = files(folder);
    expected.putAll(Checkpoints.of(node));
    return expected;
  }

  @Test
  void severalStepsBehindIsNoDamage() throws IOException {
    try (StateFolder state = StateFolder.openApart(folder)) {
      state.settled("boot", node, Map.of());
      come(state, "a/app");
      state.catchUp(node);
      come(state, "b/app");
      come(state, "c/app");
      node.remove("a/app");
      state.removed("a/app", node);
    }
    try (StateFolder state = StateFolder.openApart(folder)) {
      assertThat(state.recovered().why())
          .containsExactly(
              "state: 2 pods kept from berth_state, cpu_manager_state was behind and is brought up,"
                  + " memory_manager_state was behind and is brought up");
      Node after = node(state.recovered());
      assertThat(Holding.all(after)).isEqualTo(Holding.all(node));
      state.settled("boot", after, Map.of());
      assertThat(files(folder)).isEqualTo(withCheckpoints());
    }
  }

  @Test
  void whatNeverWasIsKeptAside() throws IOException {
    try (StateFolder state = StateFolder.openApart(folder)) {
      state.settled("boot", node, Map.of());
      come(state, "a/app");
      state.catchUp(node);
    }
    Path file = folder.resolve(Checkpoints.CPU);
    Node other = node();
    admit(other, Pod.guaranteed("z/app", 2));
    Files.writeString(file, Checkpoints.of(other).get(Checkpoints.CPU));
    assertThat(StateFolder.look(folder).why())
        .anyMatch(line -> line.contains("kept aside as cpu_manager_state.aside-1"));
  }

  @Test
  void aJournalThatGrowsTooLongIsWrittenAnewWithThemBeside() throws IOException {
    try (StateFolder state = StateFolder.openApart(folder)) {
      state.settled("boot", node, Map.of());
      long longest = 0;
      long length = 0;
      while (length >= longest) {
        longest = length;
        come(state, "a/app");
        node.remove("a/app");
        state.removed("a/app", node);
        length = Files.size(folder.resolve(Journal.FILE));
      }
      assertThat(state.recovered().why()).containsExactly("state: nothing before");
    }
    assertThat(StateFolder.look(folder).why())
        .singleElement()
        .asString()
        .startsWith("state: 0 pods kept from berth_state, ");
  }
}
