package dev.berth.story;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlignmentTest {
  /** CPUs 0-3 are an L3 cache of two cores, 0-7 a NUMA node, 0-15 a socket. */
  private static final Machine MACHINE = Machines.parse("pack:2 node:2 l3:2 core:2 pu:2");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0-1     | core l3 numa socket
          0,2     | l3 numa socket
          0-2     | core l3 numa socket
          0-3     | core l3 numa socket
          2-5     | core numa socket
          0-7     | core l3 numa socket
          4-11    | core l3 socket
          12-19   | core l3
          0-15    | core l3 numa socket
          3       | core l3 numa socket
          """)
  void namesThePlacesInAsFewOfWhichAsPossibleTheCpusLie(String cpus, String expected) {
    String found =
        Alignment.on(MACHINE).of(CpuSet.parse(cpus)).stream()
            .map(Boundary::word)
            .collect(Collectors.joining(" "));
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void theFewestIsWhatTheLargestPlacesHold() {
    Machine uneven =
        Machine.builder("uneven").cpu(0, 0, 0, 0, 0).cpu(1, 1, 0, 0, 0).cpu(2, 2, 0, 1, 1).build();
    Alignment alignment = Alignment.on(uneven);
    assertThat(Arrays.stream(new int[] {0, 1, 2, 3}).map(n -> alignment.fewest(Boundary.NUMA, n)))
        .containsExactly(0, 1, 1, 2);
    assertThat(alignment.spread(Boundary.NUMA, CpuSet.of(0, 2))).isEqualTo(2);
  }
}
