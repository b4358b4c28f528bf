package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hwloc.HwlocXml;
import dev.berth.linux.Sysfs;
import dev.berth.render.MachineJson;
import dev.berth.topology.KnownMachine;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TopologyCommandTest {
  private final Captured captured = new Captured();

  @TempDir Path folder;

  @Test
  void showsThisMachine() {
    assertThat(captured.berth("topology")).isEqualTo(0);
    assertThat(captured.out()).startsWith(Sysfs.here().name() + "\n").contains("socket 0");
  }

  @Test
  void showsABuiltInMachineAsText() {
    assertThat(captured.berth("topology", "--machine", "laptop-2-core")).isEqualTo(0);
    assertThat(captured.out())
        .isEqualTo(
            """
            laptop-2-core
            4 CPUs, 1 socket, 1 NUMA node, 1 L3 cache, 2 cores of 2 threads

            socket 0, node 0 (8 GiB), L3 0: 2 cores of 2 threads
              0,2   1,3
            """);
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void printsJsonThatIsReadBack() {
    assertThat(captured.berth("topology", "--machine", "i7-12850hx", "-o", "json")).isEqualTo(0);
    assertThat(MachineJson.read(captured.out())).isEqualTo(Machines.named("i7-12850hx"));
  }

  @Test
  void printsAPicture() {
    assertThat(captured.berth("topology", "--machine", "pack:1 core:2 pu:1", "-o", "svg"))
        .isEqualTo(0);
    assertThat(captured.out()).startsWith("<svg ").endsWith("</svg>\n");
  }

  @Test
  void hwlocGoesOutAndIn() throws IOException {
    assertThat(captured.berth("topology", "--machine", "graviton3", "-o", "hwloc")).isEqualTo(0);
    Path file = Files.writeString(folder.resolve("graviton3.xml"), captured.out());
    assertThat(HwlocXml.read(captured.out(), "x")).isEqualTo(Machines.named("graviton3"));
    var again = new Captured();
    assertThat(again.berth("topology", "--hwloc", file.toString(), "-o", "json")).isEqualTo(0);
    assertThat(MachineJson.read(again.out())).isEqualTo(Machines.named("graviton3"));
  }

  @Test
  void notesGoToStandardError() throws IOException {
    Path cpu =
        Files.createDirectories(folder.resolve("node-7/sys/devices/system/cpu/cpu0/topology"));
    Files.writeString(cpu.resolve("../../online"), "0\n");
    Files.writeString(cpu.resolve("core_cpus_list"), "0\n");
    Files.writeString(cpu.resolve("package_cpus_list"), "0\n");
    Files.writeString(cpu.resolve("physical_package_id"), "0\n");
    assertThat(
            captured.berth(
                "topology", "--sysfs", folder.resolve("node-7").toString(), "-o", "json"))
        .isEqualTo(0);
    assertThat(MachineJson.read(captured.out()).name()).isEqualTo("node-7");
    assertThat(captured.err())
        .isEqualTo("note: no L3 cache: each socket counts as one\nnote: no NUMA: one node, 0\n");
  }

  @Test
  void wrongInputIsOneLineAndExits2() {
    assertBad(
        "berth: machine \"epic\": expected a built-in machine, the nearest are epyc-", "epic");
    assertBad("berth: machine spec \"pack:2 x:1\": expected a level", "pack:2 x:1");
    assertThat(captured.out()).isEmpty();
  }

  private void assertBad(String message, String machine) {
    var bad = new Captured();
    assertThat(bad.berth("topology", "--machine", machine)).isEqualTo(2);
    assertThat(bad.out()).isEmpty();
    assertThat(bad.err()).startsWith(message).hasLineCount(1);
  }

  @Test
  void filesThatAreNotThereAreWrongInput() {
    assertThat(captured.berth("topology", "--hwloc", folder.resolve("no.xml").toString()))
        .isEqualTo(2);
    assertThat(captured.berth("topology", "--sysfs", folder.toString())).isEqualTo(2);
    assertThat(captured.err())
        .contains(
            "no.xml: expected a topology file of hwloc, found no such file",
            "expected a folder with sys/")
        .hasLineCount(2);
  }

  @Test
  void onlyOneMachineCanBeAskedFor() {
    assertThat(captured.berth("topology", "--machine", "graviton3", "--sysfs", "x")).isEqualTo(2);
    assertThat(captured.berth("topology", "-o", "png")).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err()).hasLineCount(2);
  }

  @Test
  void listsTheBuiltInMachines() {
    assertThat(captured.berth("machines")).isEqualTo(0);
    assertThat(captured.out().lines()).hasSize(Machines.all().size());
    for (KnownMachine known : Machines.all()) {
      assertThat(captured.out()).contains(known.name() + " ", known.description());
    }
  }

  @Test
  void listsThemAsJsonWithTheirSources() {
    assertThat(captured.berth("machines", "-o", "json")).isEqualTo(0);
    JsonNode list = JsonMapper.shared().readTree(captured.out());
    assertThat(list.size()).isEqualTo(Machines.all().size());
    assertThat(list.get(0).get("source").asString()).isEqualTo(Machines.all().getFirst().source());
    assertThat(list.get(0).get("cpus").asInt()).isEqualTo(4);
  }
}
