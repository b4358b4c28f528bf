package dev.berth.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.KnownMachine;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.topology.Synthetic;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MachineTextTest {
  static Stream<String> knownMachines() {
    return Machines.all().stream().map(KnownMachine::name);
  }

  @ParameterizedTest
  @MethodSource("knownMachines")
  void fitsEveryWidthFrom60Columns(String name) {
    for (int width : new int[] {60, 72, 80, 100, 132, 200}) {
      assertThat(MachineText.render(Machines.named(name), width).lines())
          .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width))
          .allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()))
          .hasSizeLessThan(80);
    }
  }

  @Test
  void tellsPlacesThatAreAlikeOnce() {
    assertThat(MachineText.render(Machines.named("epyc-7702p"), 80))
        .isEqualTo(
            """
            epyc-7702p
            128 CPUs, 1 socket, 1 NUMA node, 16 L3 caches, 64 cores of 2 threads

            socket 0, node 0 (256 GiB): 16 L3 of 4 cores of 2 threads
              L3 0   0-3,64-67       L3 1   4-7,68-71       L3 2   8-11,72-75
              L3 3   12-15,76-79     L3 4   16-19,80-83     L3 5   20-23,84-87
              L3 6   24-27,88-91     L3 7   28-31,92-95     L3 8   32-35,96-99
              L3 9   36-39,100-103   L3 10  40-43,104-107   L3 11  44-47,108-111
              L3 12  48-51,112-115   L3 13  52-55,116-119   L3 14  56-59,120-123
              L3 15  60-63,124-127
            """);
  }

  @Test
  void showsNodesWithinACacheAndTheirDistances() {
    assertThat(
            MachineText.render(Synthetic.parse("pack:1 l3:1 node:2 core:2 pu:2(indexes=core)"), 80))
        .isEqualTo(
            """
            pack:1 l3:1 node:2 core:2 pu:2(indexes=core)
            8 CPUs, 1 socket, 2 NUMA nodes, 1 L3 cache, 4 cores of 2 threads

            socket 0, L3 0: 2 nodes of 2 cores of 2 threads
              node 0 (1 GiB)  0-1,4-5   node 1 (1 GiB)  2-3,6-7

            distance between nodes: 20
            """);
  }

  @Test
  void showsKindsAndClusters() {
    assertThat(MachineText.render(Machines.named("i7-12850hx"), 80))
        .isEqualTo(
            """
            i7-12850hx
            24 CPUs, 1 socket, 1 NUMA node, 1 L3 cache, 16 cores of 1 or 2 threads

            socket 0, node 0 (64 GiB), L3 0: 16 cores of 1 or 2 threads
              0-1     2-3     4-5     6-7     8-9     10-11   12-13   14-15   16      17
              18      19      20      21      22      23
            performance: 0-15 (8 cores of 2 threads)
            efficiency: 16-23 (8 cores)
            clusters: 0-1  2-3  4-5  6-7  8-9  10-11  12-13  14-15  16-19  20-23
            """);
  }

  @Test
  void showsNodesWithoutCpusAndWhatIsOff() {
    assertThat(MachineText.render(Machines.named("grace-blackwell"), 80))
        .endsWith(
            """
            distance between nodes: 20
            nodes without CPUs, 186 GiB: 2,10,18,26
            nodes without CPUs, no memory: 3-9,11-17,19-25,27-33
            """);
    Machine machine =
        Machine.builder("small")
            .cpu(0, 0, 0, 0, 0)
            .cpu(2, 2, 0, 0, 0)
            .offline(CpuSet.of(1, 3))
            .isolated(CpuSet.of(2))
            .build();
    assertThat(MachineText.render(machine, 80)).endsWith("isolated: 2\noffline: 1,3\n");
  }

  @Test
  void placesThatOverlapAreListedBesideTheOthers() {
    Machine machine =
        Machine.builder("crossed")
            .cpu(0, 0, 0, 0, 0)
            .cpu(1, 1, 0, 1, 1)
            .cpu(2, 2, 0, 1, 0)
            .cpu(3, 3, 0, 0, 1)
            .build();
    assertThat(Layout.of(machine).left()).containsExactly(Level.CACHE);
    assertThat(MachineText.render(machine, 80))
        .contains("L3 caches, which overlap with other places:\n  L3 0  0,2   L3 1  1,3\n");
    assertThat(MachineSvg.render(machine)).contains("NUMA node 1");
  }

  @Test
  void sizesAndSetsAreShort() {
    assertThat(Words.bytes(0)).isEqualTo("0 B");
    assertThat(Words.bytes(1L << 30)).isEqualTo("1 GiB");
    assertThat(Words.bytes(388492316L << 10)).isEqualTo("370 GiB");
    assertThat(Words.bytes(7_500_000_000L)).isEqualTo("7.0 GiB");
    assertThat(Words.set(CpuSet.parse("0-76:1/4"))).isEqualTo("0-76:1/4");
    assertThat(Words.set(CpuSet.parse("0,2,4"))).isEqualTo("0,2,4");
    assertThat(Words.set(CpuSet.parse("0,2,4,7"))).isEqualTo("0,2,4,7");
    assertThat(Words.set(CpuSet.of(5))).isEqualTo("5");
  }
}
