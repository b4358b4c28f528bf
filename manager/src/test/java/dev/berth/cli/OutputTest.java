package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputTest {
  @Test
  void aTestIsNoTerminalAndGetsNoColour() {
    Output output = Output.standard(Map.of("COLUMNS", "132"));
    assertThat(output.terminal()).isFalse();
    assertThat(output.colour()).isFalse();
    assertThat(output.width()).isEqualTo(132);
  }

  @Test
  void noColorCountsIfItIsNotEmpty() {
    assertThat(Output.wantsColour(Map.of("TERM", "xterm"))).isTrue();
    assertThat(Output.wantsColour(Map.of("NO_COLOR", ""))).isTrue();
    assertThat(Output.wantsColour(Map.of("NO_COLOR", "1"))).isFalse();
    assertThat(Output.wantsColour(Map.of("TERM", "dumb"))).isFalse();
  }

  @Test
  void theFirstSensibleWidthHolds() {
    assertThat(Output.width("120", "90")).isEqualTo(120);
    assertThat(Output.width("wide", "90")).isEqualTo(90);
    assertThat(Output.width(null, "0")).isEqualTo(Output.DEFAULT_WIDTH);
    assertThat(Output.width("-5", "99999")).isEqualTo(Output.DEFAULT_WIDTH);
  }
}
