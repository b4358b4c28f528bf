package dev.berth.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FragmentationTest {
  /** Four NUMA nodes of 16 CPUs each. */
  private static final Machine MACHINE = Machines.parse("pack:1 node:4 l3:1 core:16 pu:1");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the empty machine                   | 0-63                | 0
          the full machine                    | ''                  | 0
          a free node whatever else is taken  | 0-15,16,33          | 0
          four in each of four nodes          | 0-3,16-19,32-35,48-51 | 0.75
          two halves                          | 0-7,16-23           | 0.5
          all that is left in one place       | 5-7                 | 0
          one by one                          | 0,16,32,48          | 0.75
          """)
  void isTheLargestBlockComparedWithTheLargestPossible(
      String claim, String free, double fragmentation) {
    Fragmentation measure = new Fragmentation(MACHINE, Level.NODE, MACHINE.cpus());
    assertThat(measure.of(CpuSet.parse(free))).as(claim).isEqualTo(fragmentation);
  }

  @ParameterizedTest
  @CsvSource({"0,16,32,48", "0-1,16-17"})
  void whatIsReservedEverywhereIsNoFragmentation(String reserved) {
    CpuSet givable = MACHINE.cpus().difference(CpuSet.parse(reserved));
    assertThat(new Fragmentation(MACHINE, Level.NODE, givable).of(givable)).isZero();
  }
}
