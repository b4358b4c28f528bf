package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.ProcessId;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerNote;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstProcessesTest {
  private static final long SELF = ProcessHandle.current().pid();

  private final FirstProcesses processes = new FirstProcesses();

  private static Container container(String id, long process, long createdAt) {
    return Container.newBuilder()
        .setId(id)
        .setPid(Math.toIntExact(process))
        .setCreatedAt(createdAt)
        .build();
  }

  @Test
  void whatTheRuntimeTellsIsTaken() {
    assertThat(processes.of(container("a", 17, 0))).isEqualTo(17);
    assertThat(processes.of(ContainerNote.newBuilder().setPid(17).build())).isEqualTo(17);
  }

  @Test
  void whereNeitherProcessNorGroupIsKnownThereIsNone() {
    assertThat(processes.of(Container.getDefaultInstance())).isZero();
    assertThat(processes.of(ContainerNote.getDefaultInstance())).isZero();
  }

  @Test
  void theOrderIsThatOfCreationWhereItIsTold() {
    assertThat(
            processes.inOrder(
                List.of(
                    container("late", 1, 30), container("old", SELF, 10), container("b", 0, 20))))
        .extracting(Container::getId)
        .containsExactly("old", "b", "late");
  }

  @Test
  void theOldestProcessComesFirstWhereNoCreationIsTold() {
    long eldest = 1;
    assertThat(ProcessId.of(eldest).orElseThrow().startTicks())
        .isLessThan(ProcessId.of(SELF).orElseThrow().startTicks());
    assertThat(
            processes.inOrder(
                List.of(
                    container("ended", 0, 0), container("b", SELF, 0), container("a", eldest, 0))))
        .extracting(Container::getId)
        .containsExactly("a", "b", "ended");
  }
}
