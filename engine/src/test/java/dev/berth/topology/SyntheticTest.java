package dev.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyntheticTest {
  private static List<String> sets(Machine machine, Level level) {
    return machine.domains(level).stream().map(place -> place.id() + "=" + place.cpus()).toList();
  }

  @Test
  void countsAlongTheSpec() {
    Machine machine = Synthetic.parse("  pack:2 node:2 l3:2 core:8 pu:2 ");
    assertThat(machine.name()).isEqualTo("pack:2 node:2 l3:2 core:8 pu:2");
    assertThat(machine.cpus()).isEqualTo(CpuSet.range(0, 127));
    assertThat(machine.domains(Level.SOCKET)).hasSize(2);
    assertThat(machine.domains(Level.NODE)).hasSize(4);
    assertThat(machine.domains(Level.CACHE)).hasSize(8);
    assertThat(machine.domains(Level.CORE)).hasSize(64);
    assertThat(machine.domainOf(Level.CACHE, 127)).isEqualTo(new Domain(7, CpuSet.range(112, 127)));
    assertThat(machine.domainOf(Level.CORE, 127)).isEqualTo(new Domain(126, CpuSet.of(126, 127)));
    assertThat(machine.nodes().getFirst().memory().bytes()).isEqualTo(1L << 30);
  }

  @Test
  void secondThreadsMayBeNumberedAfterAllFirstOnes() {
    Machine machine = Synthetic.parse("pack:2 core:2 pu:2(indexes=core)");
    assertThat(sets(machine, Level.CORE)).containsExactly("0=0,4", "1=1,5", "2=2,6", "3=3,7");
    assertThat(sets(machine, Level.SOCKET)).containsExactly("0=0-1,4-5", "1=2-3,6-7");
    assertThat(sets(Synthetic.parse("pack:2 core:2 pu:2(indexes=core:pu)"), Level.CORE))
        .isEqualTo(sets(machine, Level.CORE));
    assertThat(sets(Synthetic.parse("pack:2 core:2 pu:2(indexes=2*4:1*2)"), Level.CORE))
        .isEqualTo(sets(machine, Level.CORE));
    assertThat(sets(Synthetic.parse("pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)"), Level.CORE))
        .isEqualTo(sets(machine, Level.CORE));
  }

  @Test
  void socketsMayTakeTurns() {
    assertThat(sets(Synthetic.parse("pack:2 core:2 pu:2(indexes=pack:core)"), Level.SOCKET))
        .containsExactly("0=0,2,4,6", "1=1,3,5,7");
  }

  @Test
  void aNodeMayBeWiderThanASocketAndACacheWiderThanANode() {
    Machine nps0 = Synthetic.parse("node:1 pack:2 l3:2 core:2 pu:1");
    assertThat(sets(nps0, Level.NODE)).containsExactly("0=0-7");
    assertThat(sets(nps0, Level.SOCKET)).containsExactly("0=0-3", "1=4-7");
    Machine snc = Synthetic.parse("pack:1 l3:1 node:2 core:2 pu:1");
    assertThat(sets(snc, Level.CACHE)).containsExactly("0=0-3");
    assertThat(sets(snc, Level.NODE)).containsExactly("0=0-1", "1=2-3");
  }

  @Test
  void whatASpecLeavesOutIsTheWholeMachineOrTheCpu() {
    Machine machine = Synthetic.parse("pu:3");
    assertThat(sets(machine, Level.SOCKET)).containsExactly("0=0-2");
    assertThat(sets(machine, Level.NODE)).containsExactly("0=0-2");
    assertThat(sets(machine, Level.CACHE)).containsExactly("0=0-2");
    assertThat(sets(machine, Level.CORE)).containsExactly("0=0", "1=1", "2=2");
    Machine sockets = Synthetic.parse("pack:2 core:2 pu:1");
    assertThat(sets(sockets, Level.CACHE)).isEqualTo(sets(sockets, Level.SOCKET));
  }

  @Test
  void memoryInBracketsIsANodeAtEachPlace() {
    Machine machine = Synthetic.parse("[numa(memory=2GB)] pack:2 [numa(memory=1GiB)] [numa] pu:2");
    assertThat(machine.nodes().stream().map(node -> node.id() + "=" + node.cpus()))
        .containsExactly("0=0-1", "1=", "2=2-3", "3=", "4=");
    assertThat(machine.nodes().stream().map(node -> node.memory().bytes()))
        .containsExactly(1L << 30, 0L, 1L << 30, 0L, 2_000_000_000L);
  }

  @Test
  void placesOtherThanCpusMayBeNumberedToo() {
    Machine machine =
        Synthetic.parse("pack:2(indexes=4,2) node:1(indexes=9,70) l3:2(indexes=3,2,1,0) pu:1");
    assertThat(sets(machine, Level.SOCKET)).containsExactly("2=2-3", "4=0-1");
    assertThat(sets(machine, Level.NODE)).containsExactly("9=0-1", "70=2-3");
    assertThat(sets(machine, Level.CACHE)).containsExactly("0=3", "1=2", "2=1", "3=0");
  }

  @Test
  void groupsBelowASocketAndWideL2sAreClusters() {
    assertThat(Synthetic.parse("pack:1 group:2 core:4 pu:1").clusters())
        .containsExactly(new Domain(0, CpuSet.range(0, 3)), new Domain(1, CpuSet.range(4, 7)));
    assertThat(Synthetic.parse("pack:1 l2:2 core:2 pu:1").clusters()).hasSize(2);
    assertThat(Synthetic.parse("group:2 pack:1 l2:2 core:1 pu:1").clusters()).isEmpty();
    assertThat(Synthetic.parse("pack:1 die:2 core:1 pu:1").dies())
        .containsExactly(new Domain(0, CpuSet.of(0)), new Domain(1, CpuSet.of(1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "package:2 core:2 pu:1",
        "socket:2 core:2 pu:1",
        "PACK:2 Core:2 PU:1",
        "so:2 co:2 pu:1",
        "pack:2 l3cache:1 l2u:1 l1d:1 l1icache:1 core:2 pu:1",
        "pack:2 core:2 1"
      })
  void namesMayBeShortLongOrOld(String spec) {
    assertThat(sets(Synthetic.parse(spec), Level.SOCKET)).containsExactly("0=0-1", "1=2-3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|expected a level (pack, die, node, group, l5 to l1, core, pu) at column 1, found the"
            + " end",
        "pack:2 foo:2|expected a level (pack, die, node, group, l5 to l1, core, pu) at column 8,"
            + " found \"foo\"",
        "pack:2 :2|expected a level (pack, die, node, group, l5 to l1, core, pu) at column 8, found"
            + " \":\"",
        "pack|expected \":\" at column 5, found the end",
        "pack:|expected a number at column 6, found the end",
        "pack:x|expected a number at column 6, found \"x\"",
        "pack:2 pu:0|expected 1 to 65536 at column 11, found 0",
        "pu:99999999999999999999|expected 1 to 65536 at column 4, found 99999999999999999999",
        "pack:300 pu:300|expected at most 65536 places at column 10, found 90000",
        "core:4|expected pu as the last level at column 7, found the end",
        "pu:4 core:2|expected the end after pu at column 6, found core",
        "pack:2 pack:2 pu:1|expected every level once at column 8, found a second package",
        "pack:2 node:2 [numa] pu:1|expected NUMA nodes as a level or in brackets at column 8, found"
            + " both",
        "[l3] pu:2|expected numa, for only memory stands in brackets at column 2, found \"l3\"",
        "[numa pu:2|expected \"]\" at column 6, found \" \"",
        "pack:2 3 4|expected a level's name, for only a last number may stand alone at column 8,"
            + " found \"3\"",
        "pack:2(memory=1GB) pu:2|expected indexes= or \")\" at column 8, found \"memory\"",
        "node:2(memory=1XB) pu:2|expected a unit (kB, MB, GB, TB, KiB, MiB, GiB, TiB) at column 16,"
            + " found \"XB\"",
        "node:2(memory=99999999TiB) pu:2|expected fewer bytes at column 23, found 99999999TiB",
        "node:2(memory=1GB pu:2|expected memory=, indexes= or \")\" at column 19, found \"pu\"",
        "pack:2 pu:2(indexes=0,1,2)|expected 4 numbers at column 21, found 3",
        "pack:2 pu:2(indexes=0,1,2,2)|expected every number once at column 27, found 2 again",
        "pack:2 pu:2(indexes=0,1,2,x)|expected a number from 0 at column 27, found \"x\"",
        "pack:2 pu:2(indexes=2*2:x)|expected a loop such as 2*8 at column 25, found \"x\"",
        "pack:2 pu:2(indexes=3*2:1*2)|expected loops that reach every place once at column 21,"
            + " found \"3*2:1*2\"",
        "pack:2 pu:2(indexes=1*3)|expected loops over 4 places at column 21, found loops over 3",
        "pack:2 pu:2(indexes=l3)|expected another level of this spec down to this one at column 21,"
            + " found \"l3\"",
        "pack:2 pu:2(indexes=pack:pack)|expected another level of this spec down to this one at"
            + " column 26, found \"pack\"",
        "pack:2 pu:2(indexes=)|expected numbers or loops at column 21, found \")\""
      })
  void refusesOtherSpecsWithTheColumn(String spec, String message) {
    assertThatThrownBy(() -> Synthetic.parse(spec))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("machine spec \"" + spec + "\": " + message);
  }

  @Test
  void aRefusalIsOneShortLine() {
    assertThatThrownBy(() -> Synthetic.parse("pack\n:2")).hasMessageNotContaining("\n");
    assertThatThrownBy(() -> Synthetic.parse("pack:1 ".repeat(200))).message().hasSizeLessThan(200);
  }

  @Test
  void theLargestSpecIsQuick() {
    assertThat(Synthetic.parse("pack:16 node:4 l3:8 core:64 pu:2(indexes=core)").cpus().size())
        .isEqualTo(65536);
  }
}
