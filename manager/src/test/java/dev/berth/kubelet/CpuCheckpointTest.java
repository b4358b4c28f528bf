package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.CpuCheckpoint.Format;
import dev.berth.ledger.Assignments;
import dev.berth.ledger.CpuPolicy;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuCheckpointTest {
  private static final long SEED = Long.getLong("berth.seed", 20261116L);

  /** Kubernetes' own checksums for these contents. */
  private static final String V1 =
      "{\"policyName\":\"none\",\"defaultCpuSet\":\"1-3\",\"entries\":{\"containerID1\":\"4-6\","
          + "\"containerID2\":\"1-3\"},\"checksum\":3680390589}";

  private static final String V2 =
      "{\"policyName\":\"none\",\"defaultCpuSet\":\"4-6\",\"checksum\":354655845}";

  private static final Assignments ASSIGNMENTS =
      Assignments.of(
          CpuPolicy.STATIC,
          CpuSet.parse("0,3-7"),
          Map.of("pod", Map.of("a", CpuSet.of(1), "b", CpuSet.of(2))));

  private static CpuCheckpoint read(String text) {
    return CpuCheckpoint.read("cpu_manager_state", text);
  }

  private static FeatureGates gates(boolean podLevel) {
    return FeatureGates.DEFAULTS.with(Gate.POD_LEVEL_RESOURCE_MANAGERS, podLevel);
  }

  @Test
  void readsContainersByIdAsFormatV1() {
    CpuCheckpoint checkpoint = read(V1);
    assertThat(checkpoint.format()).isEqualTo(Format.V1);
    assertThat(checkpoint.shared()).isEqualTo(CpuSet.range(1, 3));
    assertThat(checkpoint.entries().get(CpuCheckpoint.NO_POD))
        .containsExactly(
            Map.entry("containerID1", CpuSet.range(4, 6)),
            Map.entry("containerID2", CpuSet.range(1, 3)));
    assertThat(checkpoint.write()).isEqualTo(V1);
  }

  @Test
  void readsContainersByPodAsFormatV2() {
    assertThat(read(V2).format()).isEqualTo(Format.V2);
    assertThat(read(V2).write()).isEqualTo(V2);
    String text = CpuCheckpoint.of(ASSIGNMENTS, gates(false)).write();
    assertThat(text)
        .startsWith(
            "{\"policyName\":\"static\",\"defaultCpuSet\":\"0,3-7\",\"entries\":{\"pod\":{\"a\":\"1\","
                + "\"b\":\"2\"}},\"checksum\":");
    assertThat(read(text).format()).isEqualTo(Format.V2);
    assertThat(read(text).assignments()).isEqualTo(ASSIGNMENTS);
  }

  @Test
  void readsBudgetsAsFormatV3() {
    Assignments budgets =
        Assignments.of(
            CpuPolicy.STATIC,
            CpuSet.parse("0,4-7"),
            ASSIGNMENTS.exclusive(),
            Map.of("pod", CpuSet.range(1, 3)));
    String text = CpuCheckpoint.of(budgets, gates(true)).write();
    assertThat(text).contains(",\"podEntries\":{\"pod\":{\"cpuSet\":\"1-3\"}},");
    assertThat(read(text).format()).isEqualTo(Format.V3);
    assertThat(read(text).assignments()).isEqualTo(budgets);
    assertThat(read(text).write()).isEqualTo(text);
  }

  @Test
  void withoutBudgetsTheChecksumTellsTheFormats() {
    String v2 = CpuCheckpoint.of(ASSIGNMENTS, gates(false)).write();
    String v3 = CpuCheckpoint.of(ASSIGNMENTS, gates(true)).write();
    assertThat(v3).isNotEqualTo(v2);
    assertThat(read(v3).format()).isEqualTo(Format.V3);
    assertThat(read(v3).write()).isEqualTo(v3);
    assertThat(read(v3).assignments()).isEqualTo(read(v2).assignments());
  }

  @Test
  void blanksAndTheOrderOfFieldsDoNotMatter() {
    String loose =
        """

        { "checksum": 354655845,
          "entries": {}, "defaultCpuSet" : "4-6",
          "policyName":"none" }
        """;
    assertThat(read(loose).write()).isEqualTo(V2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"policyName\":\"none\",\"defaultCpuSet\":\"4-6\",\"checksum\":0}",
        "{\"policyName\":\"none\",\"defaultCpuSet\":\"1-3\",\"entries\":{\"id\":\"4-6\"},\"checksum\":0}"
      })
  void aChecksumOfZeroIsBelievedAndMended(String text) {
    assertThat(read(text).write()).doesNotContain("\"checksum\":0}");
    assertThat(read(read(text).write()).shared()).isEqualTo(read(text).shared());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          ``                             | expected a JSON object, found an empty file
          []                             | expected a JSON object, found something else
          {"policyName":"static",        | expected JSON, found a fault at line 1, column 24: Unexpected end-of-input
          {} x                           | expected JSON, found a fault at line 1, column 4: Unrecognized token 'x'
          {"policyName":"a","policyName":"b"} | expected JSON, found a fault at line 1, column 31: Duplicate Object property "policyName"
          {"policy":"static"}            | expected fields among checksum, defaultCpuSet, entries, podEntries, policyName, found "policy"
          {}                             | expected policyName to be text, found nothing
          {"policyName":7}               | expected policyName to be text, found 7
          {"policyName":"static"}        | expected defaultCpuSet to be text, found nothing
          {"policyName":"static","defaultCpuSet":"0-"} | defaultCpuSet: cpuset "0-": expected a number at column 3, found the end
          """)
  void aFileThatIsNoCheckpointIsToldInOneLine(String text, String expected) {
    refuses(text, expected);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          "checksum":354655846           | expected checksum 354655845 for its contents, or 1641063351 in v3, found 354655846
          "checksum":-1                  | expected checksum to be a 32-bit number, found -1
          "checksum":4294967296          | expected checksum to be a 32-bit number, found 4294967296
          "checksum":"354655845"         | expected checksum to be a 32-bit number, found "354655845"
          "entries":{}                   | expected checksum to be a 32-bit number, found nothing
          "entries":[],"checksum":0      | expected entries to be an object, found []
          "entries":{"p":[]},"checksum":0 | expected entries.p to be an object, found []
          "entries":{"p":{"c":1}},"checksum":0 | expected entries.p.c to be text, found 1
          "entries":{"p":{"c":"1-x"}},"checksum":0 | entries.p.c: cpuset "1-x": expected a number at column 3, found "x"
          "entries":{"id":"1","p":{}},"checksum":0 | expected entries.p to be text, found {}
          "entries":{"id":"1"},"podEntries":{"p":{"cpuSet":"1"}},"checksum":0 | expected podEntries only beside entries by pod, found entries by container id
          "podEntries":{"p":"1"},"checksum":0 | expected podEntries.p to be an object, found "1"
          "podEntries":{"p":{"cpus":"1"}},"checksum":0 | expected podEntries.p to have cpuSet alone, found "cpus"
          """)
  void aFieldThatIsWrongIsToldWithItsPlace(String fields, String expected) {
    refuses("{\"policyName\":\"none\",\"defaultCpuSet\":\"4-6\"," + fields + "}", expected);
  }

  /** Any change of a value, however small, is noticed. */
  @Test
  void tamperingIsNoticed() {
    String text = CpuCheckpoint.of(ASSIGNMENTS, gates(false)).write();
    for (List<String> change :
        List.of(
            List.of("static", "none"),
            List.of("0,3-7", "0,3-6"),
            List.of("\"pod\"", "\"pid\""),
            List.of("\"a\"", "\"c\""),
            List.of("\"1\"", "\"1-2\""))) {
      String changed = text.replace(change.get(0), change.get(1));
      assertThat(changed).isNotEqualTo(text);
      assertThatThrownBy(() -> read(changed))
          .as(changed)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageStartingWith("cpu_manager_state: expected checksum ");
    }
  }

  /** A write that was cut short leaves no prefix that passes for a whole file. */
  @Test
  void aTornFileIsNoticedWhereverItWasCut() {
    String text = CpuCheckpoint.of(ASSIGNMENTS, gates(false)).write();
    for (int length = 0; length < text.length(); length++) {
      String torn = text.substring(0, length);
      assertThatThrownBy(() -> read(torn))
          .as(torn)
          .isInstanceOf(InvalidInputException.class)
          .message()
          .startsWith("cpu_manager_state: expected ")
          .doesNotContain("\n");
    }
  }

  private static void refuses(String text, String expected) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(InvalidInputException.class)
        .message()
        .startsWith("cpu_manager_state: " + expected)
        .doesNotContain("\n");
  }

  @Test
  void anUnknownPolicyIsRefusedWhereANodeWouldStartFromIt() {
    String text =
        read("{\"policyName\":\"dynamic\",\"defaultCpuSet\":\"\",\"checksum\":0}").write();
    assertThatThrownBy(() -> read(text).assignments())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("\"dynamic\"");
  }

  @Test
  void whateverIsWrittenIsReadAgain() {
    for (int i = 0; i < 2_000; i++) {
      Random random = new Random(SEED + i);
      Map<String, Map<String, CpuSet>> exclusive = new TreeMap<>();
      for (int pod = random.nextInt(4); pod > 0; pod--) {
        Map<String, CpuSet> containers = new TreeMap<>();
        for (int container = 1 + random.nextInt(3); container > 0; container--) {
          containers.put(name(random), cpus(random));
        }
        exclusive.put(name(random), containers);
      }
      Map<String, CpuSet> budgets =
          random.nextBoolean() ? Map.of() : Map.of(name(random), cpus(random));
      Assignments given = Assignments.of(CpuPolicy.STATIC, cpus(random), exclusive, budgets);
      FeatureGates gates = gates(!budgets.isEmpty() || random.nextBoolean());
      String text = CpuCheckpoint.of(given, gates).write();
      assertThat(read(text).assignments()).as("seed %d: %s", SEED + i, text).isEqualTo(given);
      assertThat(read(text).write()).as("seed %d", SEED + i).isEqualTo(text);
    }
  }

  /** Names with everything that JSON has to escape, and what Go escapes beyond that. */
  private static String name(Random random) {
    String letters = "ab-\"\\/<>&\n\r\t\b\f\u0001\u007f\u2028\u2029é漢\uD83D\uDE80";
    int[] points = letters.codePoints().toArray();
    StringBuilder name = new StringBuilder("n");
    for (int i = random.nextInt(6); i > 0; i--) {
      name.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return name.toString();
  }

  private static CpuSet cpus(Random random) {
    CpuSet cpus = CpuSet.EMPTY;
    for (int i = random.nextInt(5); i > 0; i--) {
      cpus = cpus.union(CpuSet.of(random.nextInt(300)));
    }
    return cpus;
  }
}
