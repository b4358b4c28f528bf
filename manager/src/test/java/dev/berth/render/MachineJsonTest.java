package dev.berth.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.testing.SharedData;
import dev.berth.topology.CoreKind;
import dev.berth.topology.KnownMachine;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.topology.NodeMemory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MachineJsonTest {
  static Stream<String> knownMachines() {
    return Machines.all().stream().map(KnownMachine::name);
  }

  @ParameterizedTest
  @MethodSource("knownMachines")
  void whatIsWrittenIsReadBackTheSame(String name) {
    assertSurvives(Machines.named(name));
  }

  private static Machine rich() {
    return Machine.builder("rich \"machine\"")
        .cpu(0, 0, 0, 0, 0)
        .cpu(1, 0, 0, 0, 0)
        .cpu(66, 66, 1, 3, 4)
        .memory(0, NodeMemory.of(1L << 40, Map.of(2048L, 9L, 1048576L, 0L)))
        .memory(5, NodeMemory.of(3, Map.of()))
        .distances(new int[][] {{10, 20, 30}, {21, 10, 31}, {22, 23, 10}})
        .die(1, CpuSet.of(0, 66))
        .cluster(66, CpuSet.of(66))
        .kind(new CoreKind("performance", CpuSet.of(0, 1), 1024))
        .kind(new CoreKind("efficiency", CpuSet.of(66), 400))
        .offline(CpuSet.of(2))
        .isolated(CpuSet.of(1))
        .note("something to know")
        .build();
  }

  private static void assertSurvives(Machine machine) {
    Machine read = MachineJson.read(MachineJson.write(machine));
    assertThat(read).isEqualTo(machine);
    assertThat(read.notes()).isEqualTo(machine.notes());
    machine
        .nodes()
        .forEach(node ->
            assertThat(read.distances().row(node.id()))
                .isEqualTo(machine.distances().row(node.id())));
  }

  @Test
  void everythingThereIsToKnowSurvives() {
    assertSurvives(rich());
  }

  @Test
  void writesTheFixedFormat() {
    assertThat(MachineJson.write(rich()))
        .isEqualTo(
            """
            {
              "name": "rich \\"machine\\"",
              "cpus": [
                [0,0,0,0,0],
                [1,0,0,0,0],
                [66,66,1,3,4]
              ],
              "nodes": [0,3,5],
              "distances": [
                [10,255,255,20,255,30],
                [21,255,255,10,255,31],
                [22,255,255,23,255,10]
              ],
              "memory": [
                {"bytes":1099511627776,"hugepages":{"2048":9,"1048576":0}},
                {"bytes":0,"hugepages":{}},
                {"bytes":3,"hugepages":{}}
              ],
              "offline": "2",
              "isolated": "1",
              "dies": [
                {"id":1,"cpus":"0,66"}
              ],
              "clusters": [
                {"id":66,"cpus":"66"}
              ],
              "kinds": [
                {"name":"performance","cpus":"0-1","capacity":1024},
                {"name":"efficiency","cpus":"66","capacity":400}
              ],
              "notes": [
                "something to know"
              ]
            }
            """);
  }

  @Test
  void readsWhatRecordedCasesHave() {
    Machine machine =
        MachineJson.read(
            """
            {"cpus":[[0,0,0,0,0],[2,2,1,2,1]],
             "distances":[[10,11,24],[24,23,10]],
             "memory":[{"bytes":8,"reserved":1,"hugepages":{"2048":3}},{"bytes":9,"reserved":1}],
             "devices":null}
            """);
    assertThat(machine.distances().between(0, 2)).isEqualTo(24);
    assertThat(machine.distances().between(2, 2)).isEqualTo(10);
    assertThat(machine.nodes().getLast().memory().bytes()).isEqualTo(9);
    assertThat(machine.name()).isEqualTo("machine");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "memory", "devices", "pod-level"})
  void everyRecordedMachineIsRead(String file) throws IOException {
    int machines = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Files.newInputStream(SharedData.path("conformance/" + file + ".jsonl.gz"))),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode recorded = JsonMapper.shared().readTree(line).get("machine");
        Machine machine = MachineJson.read(recorded);
        assertThat(machine.cpus().size()).isEqualTo(recorded.get("cpus").size());
        assertThat(machine.domains(Level.NODE)).hasSize(recorded.get("distances").size());
        machines++;
      }
    }
    assertThat(machines).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "[]|expected an object, found []",
        "{|expected JSON at line 1, column 2, found *",
        "{\"cpus\":[]}|cpus: expected at least one row, found []",
        "{\"cpus\":3}|cpus: expected an array, found 3",
        "{\"cpus\":[[0,0,0,0]]}|cpus[0]: expected [cpu,core,socket,numa,uncore], found [0,0,0,0]",
        "{\"cpus\":[[0,0,0,0,0],[1,1,\"x\",0,0]]}|cpus[1] socket: expected a number from 0 to"
            + " 1048575, found \"x\"",
        "{\"cpus\":[[0,0,0,0,-1]]}|cpus[0] uncore: expected a number from 0 to 1048575, found -1",
        "{\"cpus\":[[0,1,0,0,0]]}|cpus: expected core 1 to be named by its lowest CPU, 0, found 1",
        "{\"cpus\":[[0,0,0,1,0]],\"distances\":[[10]]}|distances[0]: expected 2 numbers, indexed by"
            + " node id, found [10]",
        "{\"cpus\":[[0,0,0,0,0]],\"distances\":[[10],[10]]}|distances: expected an entry for each"
            + " of the nodes [0], found 2",
        "{\"cpus\":[[0,0,0,0,0]],\"memory\":[{}]}|memory[0].bytes: expected a number from 0, found"
            + " nothing",
        "{\"cpus\":[[0,0,0,0,0]],\"memory\":[{\"bytes\":1,\"hugepages\":{\"2M\":1}}]}|memory[0].hugepages:"
            + " expected a page size in KiB, found \"2M\"",
        "{\"cpus\":[[0,0,0,0,0]],\"memory\":[{\"bytes\":1,\"hugepages\":[]}]}|memory[0].hugepages:"
            + " expected an object, found []",
        "{\"cpus\":[[0,0,0,0,0]],\"isolated\":\"0-\"}|isolated: cpuset \"0-\": expected a number at"
            + " column 3, found the end",
        "{\"cpus\":[[0,0,0,0,0]],\"cores\":1}|expected one of clusters, cpus, devices, dies,"
            + " distances, isolated, kinds, memory, memoryAssumed, name, nodes, notes, offline,"
            + " found \"cores\""
      })
  void refusesOtherJsonAndTellsWhere(String json, String message) {
    boolean open = message.endsWith("*");
    String start = "machine json: " + (open ? message.substring(0, message.length() - 1) : message);
    assertThatThrownBy(() -> MachineJson.read(json))
        .isInstanceOf(InvalidInputException.class)
        .message()
        .startsWith(start)
        .doesNotContain("\n")
        .satisfies(text -> assertThat(open || text.equals(start)).as(text).isTrue());
  }
}
