package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.kubelet.MemoryCheckpoint.Format;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.MemoryTable;
import dev.berth.replay.CaseFile;
import dev.berth.testing.SharedData;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryCheckpointTest {
  private static final MemoryBlock BLOCK = new MemoryBlock(NodeSet.of(0, 1), "memory", 300);

  private static MemoryAssignments assignments(Map<String, List<MemoryBlock>> budgets) {
    SortedMap<Integer, NodeAccount> nodes = new TreeMap<>();
    for (int node : List.of(0, 1, 10)) {
      boolean used = node < 2;
      long given = used ? 150 : 0;
      nodes.put(
          node,
          new NodeAccount(
              used ? 1 : 0,
              new TreeMap<>(
                  Map.of("memory", new MemoryTable(2000, 500, 1500, given, 1500 - given))),
              used ? NodeSet.of(0, 1) : NodeSet.of(node)));
    }
    return new MemoryAssignments(
        nodes,
        new TreeMap<>(Map.of("pod", new TreeMap<>(Map.of("app", List.of(BLOCK))))),
        new TreeMap<>(budgets));
  }

  private static MemoryCheckpoint read(String text) {
    return MemoryCheckpoint.read("memory_manager_state", text);
  }

  private static String written(boolean podLevel) {
    FeatureGates gates = FeatureGates.DEFAULTS.with(Gate.POD_LEVEL_RESOURCE_MANAGERS, podLevel);
    Map<String, List<MemoryBlock>> budgets = podLevel ? Map.of("pod", List.of(BLOCK)) : Map.of();
    return MemoryCheckpoint.of(assignments(budgets), gates).write();
  }

  /** Kubernetes sorts the nodes of the file as text, and those of the checksum as numbers. */
  @Test
  void withoutBudgetsItIsFormatV1() {
    String text = written(false);
    assertThat(text)
        .startsWith(
            "{\"policyName\":\"Static\",\"machineState\":{\"0\":{\"numberOfAssignments\":1,"
                + "\"memoryMap\":{\"memory\":{\"total\":2000,\"systemReserved\":500,"
                + "\"allocatable\":1500,\"reserved\":150,\"free\":1350}},\"cells\":[0,1]},\"1\":{")
        .contains("\"cells\":[0,1]},\"10\":{\"numberOfAssignments\":0,")
        .contains(
            ",\"entries\":{\"pod\":{\"app\":[{\"numaAffinity\":[0,1],\"type\":\"memory\","
                + "\"size\":300}]}},\"checksum\":")
        .doesNotContain("podEntries");
    assertThat(read(text).format()).isEqualTo(Format.V1);
    assertThat(read(text).assignments()).isEqualTo(assignments(Map.of()));
    assertThat(read(text).write()).isEqualTo(text);
  }

  @Test
  void withBudgetsItIsFormatV2() {
    String text = written(true);
    assertThat(text)
        .contains(",\"podEntries\":{\"pod\":{\"memoryBlocks\":[{\"numaAffinity\":[0,1],");
    assertThat(read(text).format()).isEqualTo(Format.V2);
    assertThat(read(text).assignments()).isEqualTo(assignments(Map.of("pod", List.of(BLOCK))));
    assertThat(read(text).write()).isEqualTo(text);
  }

  @Test
  void withoutBudgetsTheChecksumTellsTheFormats() {
    MemoryAssignments plain = assignments(Map.of());
    String v2 = new MemoryCheckpoint(Format.V2, "Static", plain).write();
    assertThat(v2).isNotEqualTo(written(false));
    assertThat(read(v2).format()).isEqualTo(Format.V2);
    assertThat(read(v2).write()).isEqualTo(v2);
  }

  @Test
  void aChecksumOfZeroIsBelievedInFormatV1Alone() {
    assertThat(read(unsigned(written(false))).write()).isEqualTo(written(false));
    assertThatThrownBy(() -> read(unsigned(written(true))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageMatching(
            "memory_manager_state: expected checksum \\d+ for its contents, found 0");
  }

  private static String unsigned(String text) {
    return text.replaceFirst("\"checksum\":\\d+", "\"checksum\":0");
  }

  @ParameterizedTest
  @CsvSource({"memory, 173", "devices, 110", "pod-level, 50"})
  void recordedCheckpointsAreRewrittenByteForByte(String file, int count) {
    int[] seen = {0};
    new CaseFile(SharedData.path("conformance/" + file + ".jsonl.gz").toString())
        .forEach(scenario -> {
          String text = scenario.recorded().path("expect").path("memoryCheckpoint").asString("");
          if (!text.isEmpty()) {
            assertThat(MemoryCheckpoint.read(scenario.id(), text).write()).isEqualTo(text);
            seen[0]++;
          }
        });
    assertThat(seen[0]).isEqualTo(count);
  }

  /** A write that was cut short leaves no prefix that passes for a whole file. */
  @Test
  void aTornFileIsNoticedWhereverItWasCut() {
    for (boolean podLevel : List.of(false, true)) {
      String text = written(podLevel);
      for (int length = 0; length < text.length(); length++) {
        refuses(text.substring(0, length), "expected ");
      }
    }
  }

  /** Any change of a value, however small, is noticed. */
  @Test
  void tamperingIsNoticed() {
    for (List<String> change :
        List.of(
            List.of("Static", "None"),
            List.of("\"total\":2000", "\"total\":2001"),
            List.of("\"numberOfAssignments\":1", "\"numberOfAssignments\":2"),
            List.of("\"cells\":[0,1]", "\"cells\":[0]"),
            List.of("\"pod\"", "\"pid\""),
            List.of("\"app\"", "\"apq\""),
            List.of("\"size\":300", "\"size\":299"),
            List.of("\"10\"", "\"11\""))) {
      for (boolean podLevel : List.of(false, true)) {
        String changed = written(podLevel).replace(change.get(0), change.get(1));
        assertThat(changed).isNotEqualTo(written(podLevel));
        refuses(changed, "expected checksum ");
      }
    }
  }

  /** Each a change of the file, and what is said of it. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          {"policyName"         | {"version":1,"policyName"       | expected fields among checksum, entries, machineState, podEntries, policyName, found "version"
          {"policyName"         | {"policyName":"x","policyName"  | expected JSON, found a fault at line 1, column 31: Duplicate Object property "policyName"
          {"policyName":"Static"| {"policyName":7                 | expected policyName to be text, found 7
          "machineState":{"0"   | "machineState":{"x"             | expected machineState to name NUMA nodes, found "x"
          "machineState":{"0"   | "machineState":{"-1"            | expected machineState to name NUMA nodes, found "-1"
          "machineState":{"0"   | "machineState":{"00"            | expected machineState to name NUMA nodes, found "00"
          "machineState":{"0"   | "machineState":{"1"             | expected JSON, found a fault at line 1
          "machineState":{"0":{ | "machineState":{"0":{"x":0,     | expected machineState.0 to have fields among cells, memoryMap, numberOfAssignments, found "x"
          "total":2000          | "total":-2000                   | expected machineState.0.memory.total to be a number from 0, found -2000
          "total":2000          | "total":"2000"                  | expected machineState.0.memory.total to be a number from 0, found "2000"
          "total":2000          | "total":18446744073709551615    | expected machineState.0.memory.total to be a number from 0, found 18446744073709551615
          "total":2000          | "sum":2000                      | expected machineState.0.memory to have fields among allocatable, free, reserved, systemReserved, total, found "sum"
          "numberOfAssignments":1 | "numberOfAssignments":-1      | expected machineState.0.numberOfAssignments to be a number from 0, found -1
          "numberOfAssignments":1 | "numberOfAssignments":4294967297 | expected machineState.0.numberOfAssignments to be at most 2147483647, found 4294967297
          "cells":[0,1]         | "cells":[0,-1]                  | expected machineState.0.cells to hold node ids, found -1
          "cells":[0,1]         | "cells":[0,"1"]                 | expected machineState.0.cells to hold node ids, found "1"
          "cells":[0,1]         | "cells":[0,2147483647]          | machineState.0.cells:
          "cells":[0,1]         | "cells":0                       | expected machineState.0.cells to be a list, found 0
          "entries":{           | "entries":[],"podEntries":{     | expected entries to be an object, found []
          {"app":[              | {"app":{},"b":[                 | expected entries.pod.app to be a list, found {}
          "numaAffinity":[0,1]  | "numaAffinity":[0.5]            | expected entries.pod.app.numaAffinity to hold node ids, found 0.5
          "size":300            | "size":-300                     | expected entries.pod.app.size to be a number from 0, found -300
          "size":300            | "size":300,"more":1             | expected entries.pod.app to have fields among numaAffinity, size, type, found "more"
          "type":"memory"       | "type":7                        | expected entries.pod.app.type to be text, found 7
          "checksum":           | "checksum":-                    | expected checksum to be a 32-bit number, found -
          """)
  void aFieldThatIsWrongIsToldWithItsPlace(String from, String to, String expected) {
    String changed = written(false).replaceFirst(Pattern.quote(from), to);
    assertThat(changed).isNotEqualTo(written(false));
    refuses(changed, expected);
  }

  private static void refuses(String text, String expected) {
    assertThatThrownBy(() -> read(text))
        .as(text)
        .isInstanceOf(InvalidInputException.class)
        .message()
        .startsWith("memory_manager_state: " + expected)
        .doesNotContain("\n");
  }

  @Test
  void blocksCanBePutInOurOrder() {
    MemoryBlock huge = new MemoryBlock(NodeSet.of(0), "hugepages-2Mi", 2);
    MemoryAssignments given =
        new MemoryAssignments(
            new TreeMap<>(),
            new TreeMap<>(Map.of("p", new TreeMap<>(Map.of("c", List.of(huge, BLOCK))))),
            new TreeMap<>(Map.of("p", List.of(huge, BLOCK))));
    MemoryCheckpoint ours = new MemoryCheckpoint(Format.V2, "Static", given).inOurOrder();
    assertThat(ours.assignments().budgets().get("p")).containsExactly(BLOCK, huge);
    assertThat(ours.assignments().counted("p")).containsExactly(BLOCK, huge);
    assertThat(ours.write()).contains("\"c\":[{\"numaAffinity\":[0,1],");
  }
}
