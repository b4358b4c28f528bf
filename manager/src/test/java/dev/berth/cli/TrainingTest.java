package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TrainingTest {
  static List<List<String>> commandLines() {
    return Training.COMMAND_LINES;
  }

  @ParameterizedTest
  @MethodSource("commandLines")
  void trainsOnWhatWorks(List<String> line) {
    var captured = new Captured();
    assertThat(captured.berth(line.toArray(String[]::new))).as(captured.err()).isEqualTo(0);
  }
}
