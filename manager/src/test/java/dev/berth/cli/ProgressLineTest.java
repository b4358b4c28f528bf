package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressLineTest {
  @Test
  void hasABarOfItsOwnWidthWhereThereIsRoom() {
    assertThat(Progress.line("simulating", 50, 80))
        .isEqualTo("simulating [############------------] 50 %");
  }

  @Test
  void fitsEveryTerminalThatTheWordsFitAndNeverGetsShorter() {
    for (int width = 17; width <= 100; width++) {
      int before = 0;
      for (int percent = 0; percent <= 100; percent++) {
        String line = Progress.line("simulating", percent, width);
        assertThat(line).hasSizeLessThan(width).hasSizeGreaterThanOrEqualTo(before);
        before = line.length();
      }
    }
  }

  @Test
  void isWordsAloneWhereThereIsNoRoomForABar() {
    assertThat(Progress.line("simulating", 65, 18)).isEqualTo("simulating 65 %");
    assertThat(Progress.line("simulating", 65, 0)).isEqualTo("simulating 65 %");
  }
}
