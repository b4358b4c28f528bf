package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.NamedWorkload;
import dev.berth.bench.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchCommandTest {
  private final Captured captured = new Captured();

  private static List<String> names() {
    return Workloads.all().stream().map(NamedWorkload::name).toList();
  }

  @Test
  void listsTheNames() {
    assertThat(captured.berth("bench", "--list")).isEqualTo(0);
    assertThat(captured.out().lines())
        .containsExactlyElementsOf(names())
        .contains("fill/epyc-7702p/packed/4", "fill/epyc-7702p/uncore/4");
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void listsThoseThatBeginLikeAName() {
    assertThat(captured.berth("bench", "--list", "fill/epyc-7702p")).isEqualTo(0);
    assertThat(captured.out()).isEqualTo("fill/epyc-7702p/packed/4\nfill/epyc-7702p/uncore/4\n");
  }

  @Test
  void aListAsJsonIsJsonAlone() {
    assertThat(captured.berth("bench", "--list", "-o", "json")).isEqualTo(0);
    var json = new JsonMapper();
    assertThat(captured.out().lines().map(line -> json.readTree(line).at("/name").stringValue()))
        .containsExactlyElementsOf(names());
  }

  @Test
  @Tag("slow")
  void aTimingAsJsonIsJsonAlone() {
    assertThat(captured.berth("bench", "-o", "json", "fill/epyc-7702p/packed/4")).isEqualTo(0);
    JsonNode timing = new JsonMapper().readTree(captured.out());
    assertThat(timing.propertyNames()).containsExactly("name", "ns", "runs", "coldNs", "outcome");
    assertThat(timing.at("/name").stringValue()).isEqualTo("fill/epyc-7702p/packed/4");
    assertThat(timing.at("/ns").longValue()).isPositive();
    assertThat(timing.at("/runs").longValue()).isPositive();
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void onlyTheFirstRunIsTimedWhereThatIsAsked() {
    assertThat(captured.berth("bench", "--cold", "-o", "json", "fill/")).isEqualTo(0);
    assertThat(captured.out().lines())
        .hasSize(5)
        .allMatch(line -> line.contains("\"runs\":1,") && line.matches(".* pods, [0-9a-f]{12}\"}"));
  }

  @Test
  void whatDiffersFromKubernetesIsToldAndFails(@TempDir Path folder) throws IOException {
    String one = "merge/numa4/providers1";
    assertThat(against(folder, one, "nodes 0, preferred")).isEqualTo(0);
    assertThat(captured.out()).containsPattern("\n" + one + " .* ×\n");
    assertThat(captured.err()).isEmpty();
    assertThat(against(folder, one, "nodes 3")).isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo(
            "berth: merge/numa4/providers1: expected nodes 3 as Kubernetes has it, found nodes 0,"
                + " preferred\n");
  }

  private int against(Path folder, String name, String outcome) throws IOException {
    String told = told(name, 1, outcome);
    return captured.berth("bench", "--cold", "--against", printing(folder, told), name);
  }

  private static String told(String name, long ns, String outcome) {
    return "{\"name\":\"" + name + "\",\"ns\":" + ns + ",\"outcome\":\"" + outcome + "\"}";
  }

  /** A program that prints a line when it is asked for times. */
  private static String printing(Path folder, String line) throws IOException {
    return program(folder, "[ \"$*\" = bench ] && echo '" + line + "'");
  }

  private static String program(Path folder, String script) throws IOException {
    Path program = folder.resolve("upstream");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program.toString();
  }

  /** Held to 10^11 times the speed of a Kubernetes that takes 1,000 seconds. */
  private int floored(Path folder, String... more) throws IOException {
    String one = "merge/numa4/providers1";
    Path floors = Files.writeString(folder.resolve("floors"), one + " 100000000000x\n");
    String upstream = printing(folder, told(one, 1_000_000_000_000L, "nodes 0, preferred"));
    List<String> line = new ArrayList<>(List.of("bench", "--cold", "--against", upstream));
    line.addAll(List.of("--floors", floors.toString(), one));
    line.addAll(List.of(more));
    return captured.berth(line.toArray(String[]::new));
  }

  @Test
  void aFloorThatIsMissedIsToldAndFails(@TempDir Path folder) throws IOException {
    assertThat(floored(folder)).isEqualTo(1);
    assertThat(captured.err())
        .matches(
            "berth: merge/numa4/providers1: expected at least 100000000000 times Kubernetes' speed,"
                + " found [0-9.]+\n");
  }

  @Test
  void aFloorThatIsReachedWithSlackIsReached(@TempDir Path folder) throws IOException {
    assertThat(floored(folder, "--slack", "1e11")).isEqualTo(0);
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void aRatioThatKubernetesToldNothingForIsMissed(@TempDir Path folder) throws IOException {
    String one = "merge/numa4/providers1";
    Path floors = Files.writeString(folder.resolve("floors"), one + " 1x\n");
    String upstream = printing(folder, told("merge/numa4/providers2", 1, "nodes 0"));
    assertThat(
            captured.berth(
                "bench", "--cold", "--against", upstream, "--floors", floors.toString(), one))
        .isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo(
            "berth: merge/numa4/providers1: expected at least 1 times Kubernetes' speed, which was"
                + " not measured\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.9", "0", "-3", "NaN", "Infinity"})
  void slackThatAsksForMoreOrForNothingIsRefused(String slack, @TempDir Path folder)
      throws IOException {
    assertThat(floored(folder, "--slack", slack)).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err())
        .startsWith("berth: --slack: expected a number that is 1 or more, found ")
        .hasLineCount(1);
  }

  @Test
  void slackWithoutFloorsIsWrongUsage() {
    assertThat(captured.berth("bench", "--slack", "3", "--cold", "merge/numa4")).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err())
        .isEqualTo("berth: expected --floors FILE beside --slack (see berth bench --help)\n");
  }

  @Test
  void aProgramThatDoesNotTellTimesIsWrongInputAndNothingIsTold(@TempDir Path folder)
      throws IOException {
    refused(
        folder.resolve("absent").toString(), "expected a program that prints JSON lines, found ");
    refused(program(folder, "exit 3"), "expected exit code 0, found 3");
    refused(printing(folder, "all is well"), "expected a program that prints JSON lines, found ");
    refused(printing(folder, ""), "expected a name and nanoseconds, found an empty line");
    refused(program(folder, ":"), "expected JSON lines, found none");
    refused(printing(folder, "7"), "expected a name and nanoseconds, found 7");
    refused(
        printing(folder, "{\"name\":\"merge/numa4/providers1\"}"),
        "expected a name and nanoseconds, found {\"name\":\"merge/numa4/providers1\"}");
  }

  private static void refused(String program, String complaint) {
    var captured = new Captured();
    assertThat(captured.berth("bench", "--cold", "--against", program, "merge/numa4/providers1"))
        .as(complaint)
        .isEqualTo(2);
    assertThat(captured.err())
        .startsWith("berth: " + program + " bench: " + complaint)
        .hasLineCount(1);
  }

  @Test
  void anUnknownNameIsWrongInputAndNothingIsTimed() {
    assertThat(captured.berth("bench", "fill/epyc-7702p/packed/4", "sort")).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err())
        .startsWith("berth: workload \"sort\": expected one of fill/epyc-7702p/packed/4, ")
        .hasLineCount(1);
  }

  @Test
  void everyWorkloadIsDefinedInTheDocument() throws IOException {
    String document = Files.readString(Path.of("../docs/benchmark.md"));
    for (String name : names()) {
      String kind =
          name.startsWith("fill/")
              ? name
              : name.replaceAll("numa\\d+", "numaN")
                  .replaceAll("cpus\\d+", "cpusN")
                  .replaceAll("providers\\d+", "providersP");
      assertThat(document).contains("| `" + kind + "` |");
    }
  }

  @Test
  void anUnknownFormatIsWrongUsage() {
    assertThat(captured.berth("bench", "--list", "-o", "xml")).isEqualTo(2);
    assertThat(captured.err()).endsWith("(see berth bench --help)\n").hasLineCount(1);
  }
}
