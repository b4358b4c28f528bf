package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What tests measure is the agent that people start. */
class RealAgentTest {
  @Test
  void itsFlagsAreThoseOfTheScript() throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", ". ../scripts/launch.sh && flags_of agent && echo $flags")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed =
        new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(shell.waitFor()).isZero();
    assertThat(List.of(printed.split(" "))).isEqualTo(RealAgent.FLAGS);
  }
}
