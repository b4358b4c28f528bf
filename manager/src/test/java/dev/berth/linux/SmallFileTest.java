package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallFileTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8192, 20_000})
  void readsAllOfAFileAroundItsPages(int length) throws IOException {
    String text = "0-3,".repeat(length / 4 + 1).substring(0, length);
    Path file = Files.writeString(folder.resolve("list"), text);
    assertThat(SmallFile.text(file.toString())).isEqualTo(text);
  }

  @Test
  void readsWhatTheKernelMakesOnTheSpot() throws IOException {
    assertThat(SmallFile.text("/proc/self/status")).contains("\nCpus_allowed_list:");
  }

  @Test
  void tellsAnAbsentFileFromOneThatCannotBeRead() {
    assertThatThrownBy(() -> SmallFile.text(folder.resolve("none").toString()))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> SmallFile.text(folder.toString()))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("directory");
  }
}
