package dev.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachinesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // name | CPUs | sockets | nodes with CPUs | caches | cores | core of CPU 1
        "laptop-2-core|4|1|1|1|2|1,3",
        "i7-12850hx|24|1|1|1|16|0-1",
        "xeon-8490h-2p-snc4|240|2|8|2|120|1,121",
        "xeon-8490h-2p-snc4-split|240|2|8|8|120|1,121",
        "epyc-7702p|128|1|1|16|64|1,65",
        "epyc-7702p-smt-off|64|1|1|16|64|1",
        "epyc-7702p-l3-as-numa|128|1|16|16|64|1,65",
        "epyc-7303-2p|64|2|2|8|32|1,33",
        "epyc-7303-2p-smt-off|32|2|2|8|32|1",
        "epyc-9754|256|1|1|16|128|1,129",
        "epyc-9654-2p-nps0|384|2|1|24|192|1,193",
        "epyc-9654-2p-nps2|384|2|4|24|192|1,193",
        "epyc-9654-2p-nps2-smt-off|192|2|4|24|192|1",
        "epyc-9654-2p-nps4|384|2|8|24|192|1,193",
        "epyc-9755-2p|512|2|2|32|256|1,257",
        "ampere-altra-128|128|1|1|16|128|1",
        "graviton3|64|1|1|1|64|1",
        "grace-blackwell|144|2|2|2|144|1",
        "kep-4800-16-core|16|1|1|2|16|1",
        "kep-4800-32-core|32|1|1|4|32|1"
      })
  void eachHasItsPublishedShape(
      String name, int cpus, int sockets, int nodes, int caches, int cores, String core) {
    Machine machine = Machines.named(name);
    assertThat(machine.name()).isEqualTo(name);
    assertThat(machine.cpus()).isEqualTo(CpuSet.range(0, cpus - 1));
    assertThat(machine.domains(Level.SOCKET)).hasSize(sockets);
    assertThat(machine.domains(Level.NODE)).hasSize(nodes);
    assertThat(machine.domains(Level.CACHE)).hasSize(caches);
    assertThat(machine.domains(Level.CORE)).hasSize(cores);
    assertThat(machine.domainOf(Level.CORE, 1).cpus()).hasToString(core);
    assertThat(machine.notes()).isEmpty();
  }

  @Test
  void theTableAboveNamesThemAll() {
    assertThat(Machines.all()).hasSize(20);
    assertThat(Machines.all().stream().map(KnownMachine::name)).doesNotHaveDuplicates();
    for (KnownMachine known : Machines.all()) {
      assertThat(known.description()).isNotBlank().doesNotContain("\n").hasSizeLessThan(100);
      assertThat(known.source()).isNotBlank();
      assertThat(known.machine()).isEqualTo(known.machine());
    }
  }

  @Test
  void placesAreAsTheProposalsTell() {
    Machine snc = Machines.named("xeon-8490h-2p-snc4");
    assertThat(snc.domainOf(Level.NODE, 0).cpus()).hasToString("0-14,120-134");
    assertThat(snc.domainOf(Level.CACHE, 0).cpus()).hasToString("0-59,120-179");
    assertThat(snc.distances().row(0)).containsExactly(10, 12, 12, 12, 21, 21, 21, 21);
    Machine epyc = Machines.named("epyc-7702p");
    assertThat(epyc.domainOf(Level.CACHE, 5).cpus()).hasToString("4-7,68-71");
    assertThat(epyc.nodes().getFirst().memory().bytes()).isEqualTo(256L << 30);
    Machine nps0 = Machines.named("epyc-9654-2p-nps0");
    assertThat(nps0.domainOf(Level.NODE, 0).cpus()).isEqualTo(nps0.cpus());
    Machine l3 = Machines.named("epyc-7702p-l3-as-numa");
    assertThat(l3.domainOf(Level.NODE, 9)).isEqualTo(l3.domainOf(Level.CACHE, 9));
    Machine nps4 = Machines.named("epyc-9654-2p-nps4");
    assertThat(nps4.distances().row(5)).containsExactly(32, 32, 32, 32, 12, 10, 12, 12);
  }

  @Test
  void theHybridOneHasTwoKindsOfCore() {
    Machine hybrid = Machines.named("i7-12850hx");
    assertThat(hybrid.kinds())
        .containsExactly(
            new CoreKind("performance", CpuSet.range(0, 15), 0),
            new CoreKind("efficiency", CpuSet.range(16, 23), 0));
    assertThat(hybrid.domainOf(Level.CORE, 16).cpus()).isEqualTo(CpuSet.of(16));
    assertThat(hybrid.clusters()).hasSize(10);
  }

  @Test
  void graceBlackwellHas34NodesOf2WithCpus() {
    Machine machine = Machines.named("grace-blackwell");
    assertThat(machine.nodes()).hasSize(34);
    assertThat(machine.nodes().stream().filter(node -> !node.cpus().isEmpty()).map(NumaNode::id))
        .containsExactly(0, 1);
  }

  @Test
  void anUnknownNameGetsTheNearestOnes() {
    assertThatThrownBy(() -> Machines.named("epic-7702p"))
        .hasMessage(
            "machine \"epic-7702p\": expected a built-in machine, the nearest are epyc-7702p,"
                + " epyc-7303-2p, epyc-9755-2p; found no such name");
    assertThat(Machines.nearest("graviton")).startsWith("graviton3");
    assertThat(Machines.nearest("XEON")).startsWith("xeon-8490h-2p-snc4");
  }

  @Test
  void aNameOrASpecIsTold() {
    assertThat(Machines.parse(" graviton3 ")).isEqualTo(Machines.named("graviton3"));
    assertThat(Machines.parse("pack:2 pu:2").cpus().size()).isEqualTo(4);
    assertThat(Machines.parse("4").cpus().size()).isEqualTo(4);
    assertThat(Machines.parse("[numa] pu:2").cpus().size()).isEqualTo(2);
    assertThatThrownBy(() -> Machines.parse(""))
        .hasMessageContaining("expected a built-in machine");
  }
}
