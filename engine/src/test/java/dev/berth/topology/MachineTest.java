package dev.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MachineTest {
  /** Two sockets with uneven cores, sparse nodes, and a node of memory alone. */
  private static MachineBuilder uneven() {
    return Machine.builder("uneven")
        .cpu(0, 0, 0, 2, 7)
        .cpu(8, 0, 0, 2, 7)
        .cpu(3, 3, 0, 2, 7)
        .cpu(70, 70, 5, 9, 1)
        .memory(4, NodeMemory.of(1024, Map.of()));
  }

  @Test
  void groupsCpusIntoPlacesLowestIdFirst() {
    Machine machine = uneven().build();
    assertThat(machine.cpus()).isEqualTo(CpuSet.of(0, 3, 8, 70));
    assertThat(machine.domains(Level.SOCKET))
        .containsExactly(new Domain(0, CpuSet.of(0, 3, 8)), new Domain(5, CpuSet.of(70)));
    assertThat(machine.domains(Level.CACHE))
        .containsExactly(new Domain(1, CpuSet.of(70)), new Domain(7, CpuSet.of(0, 3, 8)));
    assertThat(machine.domains(Level.CORE).stream().map(Domain::id)).containsExactly(0, 3, 70);
    assertThat(machine.domainOf(Level.CORE, 8).cpus()).isEqualTo(CpuSet.of(0, 8));
    assertThat(machine.indexOf(Level.CACHE, 8)).isEqualTo(1);
    assertThat(machine.cpuList().stream().map(Cpu::id)).containsExactly(0, 3, 8, 70);
  }

  @Test
  void neighboursShareACpuAndComeLowestFirst() {
    Machine machine = uneven().build();
    assertThat(machine.neighbours(Level.SOCKET, Level.CORE))
        .isDeepEqualTo(new int[][] {{0, 1}, {2}});
    assertThat(machine.neighbours(Level.CORE, Level.SOCKET))
        .isDeepEqualTo(new int[][] {{0}, {0}, {1}});
    assertThat(machine.neighbours(Level.NODE, Level.CACHE))
        .as("caches sort otherwise than nodes")
        .isDeepEqualTo(new int[][] {{1}, {0}});
  }

  @Test
  void countsAsUpstreamDoes() {
    Machine machine = uneven().build();
    assertThat(machine.cpusPer(Level.CORE)).isEqualTo(1);
    assertThat(machine.cpusPer(Level.SOCKET)).isEqualTo(2);
    assertThat(machine.isEven(Level.CORE)).isFalse();
    assertThat(Machines.named("epyc-7702p").isEven(Level.CORE)).isTrue();
  }

  @Test
  void nodesIncludeThoseOfMemoryAlone() {
    Machine machine = uneven().build();
    assertThat(machine.nodes().stream().map(NumaNode::id)).containsExactly(2, 4, 9);
    assertThat(machine.nodes().get(1).cpus()).isEqualTo(CpuSet.EMPTY);
    assertThat(machine.domains(Level.NODE)).hasSize(2);
    assertThat(machine.distances().between(2, 9)).isEqualTo(Distances.REMOTE);
    assertThat(machine.distances().row(4)).containsExactly(20, 10, 20);
  }

  @Test
  void whatIsNotUsableIsLeftOutOfDiesClustersAndIsolation() {
    Machine machine =
        uneven()
            .die(0, CpuSet.range(0, 9))
            .die(1, CpuSet.of(20))
            .cluster(3, CpuSet.of(3, 4))
            .isolated(CpuSet.of(3, 99))
            .offline(CpuSet.of(1))
            .build();
    assertThat(machine.dies()).containsExactly(new Domain(0, CpuSet.of(0, 3, 8)));
    assertThat(machine.clusters()).containsExactly(new Domain(3, CpuSet.of(3)));
    assertThat(machine.isolated()).isEqualTo(CpuSet.of(3));
    assertThat(machine.offline()).isEqualTo(CpuSet.of(1));
  }

  @Test
  void equalDescriptionsAreEqual() {
    assertThat(uneven().build()).isEqualTo(uneven().build()).hasSameHashCodeAs(uneven().build());
    assertThat(uneven().build()).isNotEqualTo(uneven().isolated(CpuSet.of(3)).build());
    assertThat(uneven().build()).isNotEqualTo(uneven().cpu(71, 71, 5, 9, 1).build());
    assertThat(uneven().build()).hasToString("uneven (4 CPUs)");
  }

  @Test
  void refusesWhatIsNoMachine() {
    assertBad(
        () -> Machine.builder("m").build(), "machine m: expected at least one CPU, found none");
    assertBad(
        () -> uneven().cpu(3, 3, 0, 2, 7),
        "machine uneven: expected every CPU once, found CPU 3 again");
    assertBad(
        () -> uneven().cpu(5, -1, 0, 0, 0),
        "cpu 5: expected numbers from 0, found core -1, socket 0, node 0, cache 0");
    assertBad(
        () -> uneven().cpu(1 << 20, 0, 0, 0, 0), "CPU id: expected 0 to 1048575, found 1048576");
    assertBad(
        () -> uneven().distances(new int[][] {{10}}).build(),
        "distances: expected 3 rows, found 1");
    assertBad(
        () -> uneven().build().indexOf(Level.CORE, 1),
        "cpu 1: expected one of machine uneven, which has 0,3,8,70");
    assertBad(() -> new Domain(3, CpuSet.EMPTY), "domain 3: expected at least one CPU, found none");
  }

  @Test
  void distancesAreByNodeIdAndChecked() {
    int[][] rows = {{10, 21}, {22, 10}};
    Distances distances = Distances.of(new int[] {1, 80}, rows);
    rows[0][1] = 99;
    assertThat(distances.between(1, 80)).isEqualTo(21);
    assertThat(distances.between(80, 1)).isEqualTo(22);
    distances.row(80)[0] = 5;
    assertThat(distances.row(80)).containsExactly(22, 10);
    assertBad(() -> distances.between(1, 2), "NUMA node 2: expected one of [1, 80]");
    assertBad(
        () -> Distances.of(new int[] {0, 1}, new int[][] {{10, 20}, {20}}),
        "distances of node 1: expected 2 numbers, found 1");
    assertBad(
        () -> Distances.of(new int[] {0}, new int[][] {{0}}),
        "distances of node 0: expected numbers above 0, found 0");
    assertThat(Distances.unknown(new int[] {3, 4}).row(4)).containsExactly(20, 10);
  }

  @Test
  void hugepagesAreCopied() {
    TreeMap<Long, Long> pages = new TreeMap<>(Map.of(2048L, 3L));
    NodeMemory memory = new NodeMemory(10, pages);
    pages.clear();
    assertThat(memory.hugepages()).isEqualTo(Map.of(2048L, 3L));
    assertThatThrownBy(() -> memory.hugepages().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static void assertBad(Runnable action, String message) {
    assertThatThrownBy(action::run).isInstanceOf(InvalidInputException.class).hasMessage(message);
  }
}
