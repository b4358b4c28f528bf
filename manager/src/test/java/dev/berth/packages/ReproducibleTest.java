package dev.berth.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class ReproducibleTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void madeAgainThePackagesAreTheSameByteForByte() throws IOException {
    List<Path> made =
        List.of(
            Packages.named("berth-*.tar.gz"),
            Packages.named("berth_*.deb"),
            Packages.named("berth-*.oci.tar"));
    Path log = folder.resolve("log");
    Path again = folder.resolve("again");
    int code =
        new ProcessBuilder("../scripts/package", again.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .onExit()
            .join()
            .exitValue();
    assertThat(code).as(Files.readString(log)).isZero();
    for (Path first : made) {
      assertThat(Files.mismatch(first, again.resolve(first.getFileName())))
          .as(first.toString())
          .isEqualTo(-1);
    }
  }
}
