package dev.berth.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What tests start is what people start. */
class BerthJvmTest {
  @ParameterizedTest
  @ValueSource(strings = {"agent", "short"})
  void itsFlagsAreThoseOfTheScript(String kind) throws Exception {
    assertThat(List.of(printed("flags_of " + kind + " && echo $flags").split(" ")))
        .isEqualTo(kind.equals("agent") ? BerthJvm.AGENT : BerthJvm.SHORT);
  }

  @ParameterizedTest
  @CsvSource({
    "bench, long",
    "bench fill/epyc-7702p/packed/4, long",
    "simulate -f pods.yaml, short",
    "simulate -f pods.yaml --compare -o json, long",
    "replay --check cases.jsonl, short",
    "explain --compare, short",
    "'', short"
  })
  void onlyWhatRunsLongHasTheBetterCompiler(String line, String length) throws Exception {
    assertThat(printed("length_of " + line + " && echo $length")).isEqualTo(length);
  }

  private static String printed(String script) throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", "set -u; . ../scripts/launch.sh && " + script)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed =
        new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(shell.waitFor()).isZero();
    return printed;
  }
}
