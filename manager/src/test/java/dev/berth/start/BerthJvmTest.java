package dev.berth.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tests start is what people start. */
class BerthJvmTest {
  @ParameterizedTest
  @ValueSource(strings = {"agent", "short"})
  void itsFlagsAreThoseOfTheScript(String kind) throws Exception {
    Process shell =
        new ProcessBuilder(
                "sh", "-c", ". ../scripts/launch.sh && flags_of " + kind + " && echo $flags")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed =
        new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(shell.waitFor()).isZero();
    assertThat(List.of(printed.split(" ")))
        .isEqualTo(kind.equals("agent") ? BerthJvm.AGENT : BerthJvm.SHORT);
  }
}
