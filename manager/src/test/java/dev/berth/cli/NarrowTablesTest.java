package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Level;
import dev.berth.topology.Machines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands without an agent print on terminals that are narrow. */
class NarrowTablesTest {
  private static final String STATE =
      """
      {"policyName":"static","defaultCpuSet":"0,4-63,67-127",\
      "entries":{"trading_orders-5f6d8c7b9-x2x4q":{"matching-engine":"1-3,64-66"}},"checksum":0}
      """;

  @TempDir private Path folder = Path.of("");

  private static List<String> lines(int width, String... arguments) {
    var bytes = new ByteArrayOutputStream();
    var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertThat(Main.run(List.of(arguments), new Output(out, out, true, false, width), Map.of()))
        .isZero();
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private List<String> state(int width) throws IOException {
    Path file = Files.writeString(folder.resolve("cpu_manager_state"), STATE);
    return lines(width, "state", "show", file.toString(), "--machine", "epyc-7702p");
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 80})
  void statesFit(int width) throws IOException {
    assertThat(state(width))
        .allMatch(line -> line.length() <= width)
        .anyMatch(line -> line.startsWith("  trad"));
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 80})
  void configurationsFitAndLoseNoWord(int width) {
    List<String> lines = lines(width, "config", "check", "--machine", "epyc-9654-2p-nps4");
    assertThat(lines).allMatch(line -> line.length() <= width);
    assertThat(String.join("", lines)).contains("static", "best-effort").doesNotContain("…");
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 80})
  void machinesFitAndLoseNoWord(int width) {
    List<String> lines = lines(width, "machines");
    assertThat(lines).allMatch(line -> line.length() <= width);
    assertThat(String.join("", lines))
        .contains("epyc-9654-2p-nps2-smt-off", "Graviton3")
        .doesNotContain("…");
  }

  @Test
  void aPoolBelowManyCachesDoesNotListEachOfThem() {
    assertThat(
            Places.text(Machines.parse("epyc-7702p"), Level.CACHE, CpuSet.parse("0,4-63,67-127")))
        .isEqualTo("0-15");
    assertThat(Places.text(List.of(0, 1, 4, 5, 6, 9))).isEqualTo("0,1,4-6,9");
    assertThat(Places.text(List.of())).isEqualTo("-");
  }
}
