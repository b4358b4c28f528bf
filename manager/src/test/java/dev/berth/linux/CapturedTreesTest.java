package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.testing.Archive;
import dev.berth.testing.SharedData;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real machines' trees give what hwloc and the trees themselves say of them. */
@Tag("slow")
class CapturedTreesTest {
  /**
   * Where Berth deliberately tells something else, by archive and field. Fields that are empty in
   * the recording are not compared there; these say what Berth makes of them.
   */
  private static final Map<String, Map<String, List<String>>> DELIBERATE =
      Map.of(
          // The kernel says package -1 and calls every core its own package: one socket instead.
          "256ppc-8n8s4t", Map.of("packages", List.of("0-255")),
          // Without an L3 the socket counts as the cache, as upstream has it.
          "16amd64-8n2c", Map.of("l3", pairs(16)),
          "2arm-2c", Map.of("l3", List.of("0-1")),
          // The kernel says two CPUs a core, which is what it schedules by; hwloc splits its
          // modules.
          "64amd64-4s2n4ca2co", Map.of("cores", pairs(64)));

  private static List<String> pairs(int cpus) {
    List<String> pairs = new ArrayList<>();
    for (int cpu = 0; cpu < cpus; cpu += 2) {
      pairs.add(cpu + "-" + (cpu + 1));
    }
    return pairs;
  }

  @TestFactory
  Stream<DynamicTest> everyCapturedTreeGivesWhatIsRecorded(@TempDir Path folder) throws Exception {
    JsonNode recorded =
        JsonMapper.shared().readTree(Files.readString(SharedData.path("machines/expected.json")));
    assertThat(recorded.propertyNames()).as("recordings").hasSizeGreaterThan(10);
    return recorded
        .propertyStream()
        .map(entry ->
            DynamicTest.dynamicTest(
                entry.getKey(), () -> check(folder, entry.getKey(), entry.getValue())));
  }

  private static void check(Path folder, String name, JsonNode expected) throws Exception {
    Path unpacked = Files.createDirectories(folder.resolve(name));
    Archive.unpackBzip2(SharedData.path("machines/" + name + ".tar.bz2"), unpacked);
    Machine machine = Sysfs.discover(unpacked.resolve(expected.get("root").asString()));
    Map<String, List<String>> deliberate = DELIBERATE.getOrDefault(name, Map.of());

    assertThat(machine.cpus()).isEqualTo(CpuSet.parse(expected.get("cpus").asString()));
    compare(machine, Level.SOCKET, "packages", expected, deliberate);
    compare(machine, Level.CACHE, "l3", expected, deliberate);
    compare(machine, Level.CORE, "cores", expected, deliberate);
    Map<Integer, String> nodes = new TreeMap<>();
    machine.domains(Level.NODE).forEach(node -> nodes.put(node.id(), node.cpus().toString()));
    Map<Integer, String> expectedNodes = new TreeMap<>();
    expected
        .get("numa")
        .propertyStream()
        .forEach(
            node -> expectedNodes.put(Integer.valueOf(node.getKey()), node.getValue().asString()));
    assertThat(nodes).as("NUMA nodes with CPUs").isEqualTo(expectedNodes);
    assertThat(machine.nodes().stream().filter(node -> node.cpus().isEmpty()).map(NumaNode::id))
        .as("NUMA nodes without CPUs")
        .containsExactlyElementsOf(
            expected.get("nodesWithoutCpus").valueStream().map(JsonNode::asInt).toList());
  }

  private static void compare(
      Machine machine,
      Level level,
      String field,
      JsonNode expected,
      Map<String, List<String>> deliberate) {
    List<String> sets = expected.get(field).valueStream().map(JsonNode::asString).toList();
    List<String> wanted = deliberate.getOrDefault(field, sets);
    assertThat(machine.domains(level).stream().map(Domain::cpus).map(CpuSet::toString))
        .as(field)
        .containsExactlyInAnyOrderElementsOf(wanted);
  }
}
