package dev.berth.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class SharedDataTest {
  @Test
  void findsARecording() {
    assertThat(SharedData.path("conformance/README.md")).isRegularFile().isNotEmptyFile();
  }

  @Test
  void anAbsentRecordingSkipsTheTestAndNamesItself() {
    assertThatThrownBy(() -> SharedData.path("conformance/none-such.jsonl"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("no conformance/none-such.jsonl (set BERTH_SHARED");
  }
}
