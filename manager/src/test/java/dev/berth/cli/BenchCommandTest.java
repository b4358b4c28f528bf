package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.NamedWorkload;
import dev.berth.bench.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    Path program = folder.resolve("upstream");
    String told = "{\"name\":\"" + name + "\",\"ns\":1,\"outcome\":\"" + outcome + "\"}";
    Files.writeString(program, "#!/bin/sh\n[ \"$*\" = bench ] && echo '" + told + "'\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return captured.berth("bench", "--cold", "--against", program.toString(), name);
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
