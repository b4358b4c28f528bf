package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testing.SharedData;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReplayCommandTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** Two cores, one reserved, and a pod that takes the other. */
  private static final String CASE =
      "{\"id\":\"one\",\"machine\":{\"cpus\":[[0,0,0,0,0],[1,1,0,0,0]],\"distances\":[[10]]},"
          + "\"config\":{\"reservedCount\":1},\"steps\":[{\"admit\":{\"uid\":\"p\",\"containers\":["
          + "{\"name\":\"c\",\"requests\":{\"cpu\":\"1\",\"memory\":\"1Gi\"},"
          + "\"limits\":{\"cpu\":\"1\",\"memory\":\"1Gi\"}}]}}]}";

  private final Captured captured = new Captured();

  @TempDir Path folder;

  private String file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        OutputStream packed = name.endsWith(".gz") ? new GZIPOutputStream(out) : out) {
      packed.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file.toString();
  }

  /** The case with our own answer as what is expected. */
  private static String answered() throws IOException {
    Captured once = new Captured();
    Path file = Files.createTempFile("case", ".jsonl");
    try {
      Files.writeString(file, CASE);
      assertThat(once.berth("replay", file.toString())).isEqualTo(0);
    } finally {
      Files.delete(file);
    }
    return once.out();
  }

  @Test
  void printsEachCaseWithOurAnswerInThePlaceOfTheExpectation() throws IOException {
    assertThat(captured.berth("replay", file("cases.jsonl", CASE + "\n" + CASE))).isEqualTo(0);
    assertThat(captured.out().lines()).hasSize(2);
    JsonNode first = JSON.readTree(captured.out().lines().findFirst().orElseThrow());
    assertThat(first.at("/id").stringValue()).isEqualTo("one");
    assertThat(first.at("/expect/reserved").stringValue()).isEqualTo("0");
    assertThat(first.at("/expect/steps/0/exclusive/c").stringValue()).isEqualTo("1");
    assertThat(first.at("/expect/checkpoint").stringValue())
        .startsWith("{\"policyName\":\"static\"");
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void readsCompressedFilesAndSeveral() throws IOException {
    String packed = file("cases.jsonl.gz", CASE);
    String plain = file("cases.jsonl", CASE);
    assertThat(captured.berth("replay", packed, plain)).isEqualTo(0);
    assertThat(captured.out().lines()).hasSize(2);
  }

  @Test
  void readsStandardInput() {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(CASE.getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(captured.berth("replay", "-")).isEqualTo(0);
    } finally {
      System.setIn(before);
    }
    assertThat(captured.out().lines()).hasSize(1);
  }

  @Test
  void aCheckThatAgreesExitsWith0() throws IOException {
    assertThat(captured.berth("replay", "--check", file("cases.jsonl", answered()))).isEqualTo(0);
    assertThat(captured.out()).isEqualTo("1 cases, 1 steps: 1 agree, 0 differ\n");
  }

  @Test
  void aCheckThatDiffersExitsWith1AndSaysWhere() throws IOException {
    String other = answered().replace("\"exclusive\":{\"c\":\"1\"}", "\"exclusive\":{\"c\":\"0\"}");
    assertThat(captured.berth("replay", "--check", file("cases.jsonl", other))).isEqualTo(1);
    assertThat(captured.out())
        .isEqualTo(
            """
            one differs:
              step 0: exclusive: expected {"c":"0"}, found {"c":"1"}
            1 cases, 1 steps: 0 agree, 1 differ
            """);
  }

  /** The recorded case, and the same with one more difference that is not listed. */
  @Test
  @Tag("slow")
  void aCaseThatDiffersOnPurposeIsToldApartAndNothingElseInIt() throws IOException {
    String recorded = recorded("conformance/devices.jsonl.gz", "scenario-401-213");
    assertThat(captured.berth("replay", "--check", file("cases.jsonl", recorded))).isEqualTo(0);
    assertThat(captured.out())
        .startsWith("1 cases, 11 steps: 0 agree, 0 differ, 1 on purpose\n")
        .contains("scenario-401-213 differs on purpose: pod-2 holds memory of nodes 0-1");
    String other =
        recorded.replace("\"exclusive\":{\"app-0\":\"2\"}", "\"exclusive\":{\"app-0\":\"4\"}");
    assertThat(other).isNotEqualTo(recorded);
    Captured again = new Captured();
    assertThat(again.berth("replay", "--check", file("other.jsonl", other))).isEqualTo(1);
    assertThat(again.out()).contains("scenario-401-213 differs:\n", "0 agree, 1 differ\n");
  }

  private static String recorded(String name, String id) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(SharedData.path(name))),
                StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> line.contains('"' + id + '"')).findFirst().orElseThrow();
    }
  }

  @Test
  void aCheckAsJsonIsJsonAlone() throws IOException {
    String other = answered().replace("\"exclusive\":{\"c\":\"1\"}", "\"exclusive\":{\"c\":\"0\"}");
    String files = file("cases.jsonl", other + answered());
    assertThat(captured.berth("replay", "--check", "-o", "json", files)).isEqualTo(1);
    JsonNode summary = JSON.readTree(captured.out());
    assertThat(summary.at("/cases").intValue()).isEqualTo(2);
    assertThat(summary.at("/agree").intValue()).isEqualTo(1);
    assertThat(summary.at("/differing/0/id").stringValue()).isEqualTo("one");
    assertThat(captured.out().lines()).hasSize(1);
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void whereNothingWasRecordedOnlyTheRulesAreChecked() throws IOException {
    assertThat(captured.berth("replay", "--check", file("cases.jsonl", CASE))).isEqualTo(0);
    assertThat(captured.out()).contains("1 of them have no recorded answer");
  }

  @Test
  void aBadCaseIsOneLineExits2AndNothingIsWritten() throws IOException {
    String bad = file("cases.jsonl", CASE + "\n" + CASE.replace("[1,1,0,0,0]", "[1,1,0,0]"));
    assertThat(captured.berth("replay", bad)).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err()).startsWith("berth: " + bad + ":2.machine: ").hasLineCount(1);
  }

  @Test
  void noCaseNoFileAndNoNameAreWrongInput() throws IOException {
    assertThat(captured.berth("replay", "--check", file("empty.jsonl", "\n"))).isEqualTo(2);
    assertThat(captured.berth("replay", folder.resolve("none.jsonl").toString())).isEqualTo(2);
    assertThat(captured.berth("replay")).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("berth: "))
        .first()
        .asString()
        .endsWith("empty.jsonl: expected at least one case, found none");
  }
}
