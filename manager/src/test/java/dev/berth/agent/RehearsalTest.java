package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RehearsalTest {
  @TempDir private Path folder;

  private static Node node(String machine) {
    return Node.start(Machines.parse(machine), Configuration.DEFAULTS);
  }

  @Test
  void everybodyComesAndGoesAndNothingIsLeft() throws IOException {
    Node node = node("pack:1 node:2 core:4 pu:2");
    Rehearsal.play(folder, node);
    assertThat(folder).isEmptyDirectory();
    assertThat(node.exclusive()).as("owners have come and gone").isEqualTo(CpuSet.EMPTY);
  }

  @Test
  void whereThereIsNoRoomRefusalsAreRehearsed() {
    assertThatCode(() -> Rehearsal.play(folder, node("pack:1 core:1 pu:1")))
        .doesNotThrowAnyException();
  }

  @Test
  void whatAKilledAgentLeftIsCleared() throws IOException {
    Files.createDirectories(folder.resolve("rehearsal/old"));
    Files.writeString(folder.resolve("rehearsal/berth_state"), "torn");
    Rehearsal.play(folder, node("pack:1 core:4 pu:1"));
    assertThat(folder).isEmptyDirectory();
  }
}
