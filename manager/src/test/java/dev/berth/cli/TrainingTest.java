package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingTest {
  @Test
  void trainsOnWhatWorks(@TempDir Path folder) throws IOException {
    for (List<String> line : Lessons.in(folder)) {
      var captured = new Captured();
      assertThat(captured.berth(line.toArray(String[]::new)))
          .as(line + captured.err())
          .isEqualTo(0);
    }
  }

  @Test
  void trainsOnWhatIsRefused() {
    for (List<String> line : Lessons.WRONG) {
      var captured = new Captured();
      assertThat(captured.berth(line.toArray(String[]::new))).isEqualTo(2);
      assertThat(captured.err()).startsWith("berth: ");
    }
  }

  @Test
  void trainsAnAgentThatAnswersAndEnds(@TempDir Path folder)
      throws IOException, InterruptedException {
    var captured = new Captured();
    assertThat(Training.withAgent(folder, captured.output()))
        .as(captured.err())
        .isEqualTo(Collections.nCopies(Training.QUESTIONS.size() + 2, 0));
    assertThat(captured.out()).contains("alone: admitted").contains("shared: admitted");
  }
}
