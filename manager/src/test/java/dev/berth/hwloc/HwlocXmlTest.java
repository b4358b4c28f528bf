package dev.berth.hwloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.linux.Sysfs;
import dev.berth.testing.Archive;
import dev.berth.testing.SharedData;
import dev.berth.topology.Domain;
import dev.berth.topology.KnownMachine;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.topology.NodeMemory;
import dev.berth.topology.NumaNode;
import dev.berth.topology.Synthetic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class HwlocXmlTest {
  @TempDir Path scratch;

  static Stream<String> knownMachines() {
    return Machines.all().stream().map(KnownMachine::name);
  }

  private static List<CpuSet> sets(Machine machine, Level level) {
    return machine.domains(level).stream()
        .map(Domain::cpus)
        .sorted((a, b) -> Integer.compare(a.first(), b.first()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("knownMachines")
  void whatIsWrittenIsReadBackTheSame(String name) {
    Machine machine = Machines.named(name);
    Machine read = HwlocXml.read(HwlocXml.write(machine), "unnamed");
    assertThat(read).isEqualTo(machine);
    machine
        .nodes()
        .forEach(node ->
            assertThat(read.distances().row(node.id()))
                .isEqualTo(machine.distances().row(node.id())));
  }

  @ParameterizedTest
  @MethodSource("knownMachines")
  void lstopoReadsWhatIsWrittenAndTellsTheSame(String name) throws IOException {
    Lstopo.assume();
    Machine machine = Machines.named(name);
    Path file = Files.writeString(scratch.resolve("ours.xml"), HwlocXml.write(machine));
    String shown = Lstopo.console(file);
    assertThat(shown).doesNotContain("nvalid").doesNotContain("ailed");
    Machine theirs = HwlocXml.read(Lstopo.xml(scratch, "xml", file.toString()), "theirs");
    assertThat(theirs).isEqualTo(machine);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pack:2 node:2 l3:2 core:8 pu:2",
        "pack:2 core:3 pu:2(indexes=core)",
        "pack:2 core:3 pu:2(indexes=pack)",
        "pack:2 core:3 pu:2(indexes=pack:core)",
        "pack:2 core:3 pu:2(indexes=core:pack)",
        "pack:2 core:3 pu:2(indexes=6*2:3*2:1*3)",
        "pack:2 core:3 pu:2(indexes=2*6:1*2)",
        "pack:2 core:3 pu:2(indexes=2*6)",
        "pack:2 core:2 pu:2(indexes=4*2)",
        "pack:2 core:2 pu:2(indexes=0,2,4,6,100,3,5,7)",
        "pack:2 node:2 l3:2 core:2 pu:2(indexes=pack:node:l3:core)",
        "pack:2 [numa(memory=1GB)] l3:2 core:3 pu:2(indexes=core)",
        "[numa] pack:2 [numa(memory=1GiB)] core:2 pu:2",
        "pack:2 [numa(indexes=5,6)] core:2 pu:2",
        "numa:2(memory=4GiB indexes=1,0) pu:2",
        "NUMANode:2 package:1 l3:1 L2Cache:2 l1d:1 l1icache:1 core:1 pu:2",
        "node:2 pack:2 pu:2",
        "node:1 pack:2 l3:2 core:2 pu:2",
        "pack:1 l3:1 node:4 core:2 pu:1",
        "group:2 group:2 die:2 pu:2",
        "pack:2 die:2 l3:2(size=32MB) core:2 pu:2",
        "pack:2 l3u:2 pu:1",
        "sock:2 3",
        "4",
        "8 4",
        "2 3 4",
        "2 2 2 2",
        "2 2 2 2 2",
        "2 1 2 1 2 1 2",
        "2 1 2 1 2 1 2 1",
        "2 1 2 1 2 1 2 1 2",
        "1 1 1 1"
      })
  void aSpecGivesWhatLstopoMakesOfIt(String spec) throws IOException {
    Lstopo.assume();
    Machine theirs = HwlocXml.read(Lstopo.xml(scratch, "synthetic", spec), spec);
    assertSame(Synthetic.parse(spec), theirs);
    assertThat(theirs.name()).isEqualTo(spec);
  }

  @Test
  void capturedTreesGiveWhatLstopoMakesOfThem() throws Exception {
    Lstopo.assume();
    for (String[] tree :
        new String[][] {
          {"16em64t-4s2c2t-offlines", "16em64t-4s2c2t-offlines"},
          {"20em64t-hybrid-1p6c2t+2ca4co1t", "20em64t-hybrid-1p6c2t+2ca4co1t"},
          {"48amd64-4pa2n6c-sparse", "48amd64-4d2n6c-sparse"},
          {"fakeheteromemtiers", "fakeheteromemtiers"},
          {"memorysidecaches", "memorysidecaches"},
          {"128arm-2pa2n8cluster4co", "128arm-2pa2n8cluster4co"}
        }) {
      Path root = scratch.resolve(tree[1]);
      Archive.unpackBzip2(SharedData.path("machines/" + tree[0] + ".tar.bz2"), scratch);
      Machine ours = Sysfs.discover(root);
      Machine theirs = HwlocXml.read(Lstopo.xml(scratch, "fsroot", root.toString()), tree[0]);
      assertSame(ours, theirs);
      ours.nodes()
          .forEach(node ->
              assertThat(theirs.distances().row(node.id()))
                  .as(tree[0])
                  .isEqualTo(ours.distances().row(node.id())));
    }
  }

  private static void assertSame(Machine ours, Machine theirs) {
    assertThat(theirs.cpus()).isEqualTo(ours.cpus());
    for (Level level : Level.values()) {
      assertThat(sets(theirs, level)).as(level.noun()).isEqualTo(sets(ours, level));
    }
    assertThat(theirs.nodes().stream().map(NumaNode::id))
        .isEqualTo(ours.nodes().stream().map(NumaNode::id).toList());
    assertThat(theirs.nodes().stream().map(node -> node.id() + "=" + node.cpus()))
        .isEqualTo(ours.nodes().stream().map(node -> node.id() + "=" + node.cpus()).toList());
    assertThat(theirs.nodes().stream().map(node -> node.memory().bytes()))
        .isEqualTo(ours.nodes().stream().map(node -> node.memory().bytes()).toList());
  }

  @Test
  void offlineCpusHugepagesAndOddNamesSurvive() {
    Machine machine =
        Machine.builder("a <b> & \"c\"")
            .cpu(0, 0, 0, 0, 0)
            .cpu(70, 70, 1, 3, 1)
            .offline(CpuSet.of(1, 71))
            .memory(0, NodeMemory.of(4L << 30, Map.of(2048L, 5L)))
            .memory(9, NodeMemory.of(1L << 30, Map.of()))
            .build();
    assertThat(HwlocXml.read(HwlocXml.write(machine), "x")).isEqualTo(machine);
  }

  @Test
  void filesOfVersion1AreRead() {
    Machine machine =
        HwlocXml.read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE topology SYSTEM "hwloc.dtd">
            <topology>
              <object type="Machine" os_index="0" cpuset="0x0000000f" complete_cpuset="0x0000001f"
                  allowed_cpuset="0x0000000f">
                <distances nbobjs="2" relative_depth="1" latency_base="10.000000">
                  <latency value="1.000000"/><latency value="2.100000"/>
                  <latency value="2.100000"/><latency value="1.000000"/>
                </distances>
                <object type="NUMANode" os_index="0" cpuset="0x00000003" local_memory="1073741824">
                  <page_type size="4096" count="1"/><page_type size="2097152" count="7"/>
                  <object type="Socket" os_index="0" cpuset="0x00000003">
                    <object type="Cache" cpuset="0x00000003" cache_size="1" depth="3" cache_type="0">
                      <object type="Cache" cpuset="0x00000001" depth="2" cache_type="0">
                        <object type="Core" os_index="0" cpuset="0x00000001">
                          <object type="PU" os_index="0" cpuset="0x00000001"/></object></object>
                      <object type="Core" os_index="1" cpuset="0x00000002">
                        <object type="PU" os_index="1" cpuset="0x00000002"/></object>
                    </object></object></object>
                <object type="NUMANode" os_index="1" cpuset="0x0000000c">
                  <object type="Socket" os_index="1" cpuset="0x0000000c">
                    <object type="Core" os_index="0" cpuset="0x0000000c">
                      <object type="PU" os_index="2" cpuset="0x00000004"/>
                      <object type="PU" os_index="3" cpuset="0x00000008"/></object></object></object>
              </object>
            </topology>
            """,
            "old");
    assertThat(machine.name()).isEqualTo("old");
    assertThat(sets(machine, Level.SOCKET)).containsExactly(CpuSet.range(0, 1), CpuSet.range(2, 3));
    assertThat(sets(machine, Level.CORE))
        .containsExactly(CpuSet.of(0), CpuSet.of(1), CpuSet.range(2, 3));
    assertThat(machine.distances().between(0, 1)).isEqualTo(21);
    assertThat(machine.offline()).isEqualTo(CpuSet.of(4));
    assertThat(machine.nodes().getFirst().memory())
        .isEqualTo(NodeMemory.of(1L << 30, Map.of(2048L, 7L)));
  }

  @Test
  void placesThatDoNotNestAreRefused() {
    Machine machine = Synthetic.parse("pack:1 l3:2 core:3 pu:1");
    Machine crossed =
        Machine.builder("crossed")
            .cpu(0, 0, 0, 0, 0)
            .cpu(1, 1, 0, 1, 1)
            .cpu(2, 2, 0, 1, 0)
            .cpu(3, 3, 0, 0, 1)
            .build();
    assertThat(HwlocXml.write(machine)).isNotEmpty();
    assertThatThrownBy(() -> HwlocXml.write(crossed))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "machine crossed: expected places that nest, for hwloc has only trees,"
                + " found L3Cache 0,2 and Group 0,3");
  }

  @Test
  void whatIsNoTopologyIsOneLine() {
    assertBad("<topology>", "hwloc xml: expected well-formed XML at line 1, column 11, found");
    assertBad("nothing", "hwloc xml: expected well-formed XML at line 1, column 1, found");
    assertBad("<html/>", "hwloc xml: expected element topology at line 1, column 8, found <html>");
    assertBad("<topology/>", "hwloc xml: expected at least one PU, found none");
    assertBad(
        "<topology><object type='Machine' cpuset='0xzz'/></topology>",
        "hwloc xml: Machine cpuset: expected a bitmap such as 0x0000000f, found \"0xzz\"");
    assertBad(
        "<topology><object type='NUMANode' cpuset='0x1'/></topology>",
        "hwloc xml: expected an os_index on NUMANode at line 1, column 49, found none");
  }

  @Test
  void entitiesAreNotFollowed() {
    assertBad(
        "<!DOCTYPE topology [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>"
            + "<topology><info name='HostName' value='a'/>&x;</topology>",
        "hwloc xml: ");
  }

  private static void assertBad(String xml, String message) {
    assertThatThrownBy(() -> HwlocXml.read(xml, "x"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(message)
        .message()
        .doesNotContain("\n");
  }
}
