package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives, as tar itself reads them. */
class TarWriterTest {
  private static final SortedMap<String, byte[]> FILES =
      new TreeMap<>(
          java.util.Map.of(
              "a/empty",
              new byte[0],
              "a/block",
              "x".repeat(512).getBytes(StandardCharsets.US_ASCII),
              "a/" + "long/".repeat(40) + "name",
              "deep".getBytes(StandardCharsets.US_ASCII),
              "b" + "n".repeat(98) + "m",
              "a name of just a hundred".getBytes(StandardCharsets.US_ASCII),
              "größe",
              "Größe\n".getBytes(StandardCharsets.UTF_8)));

  @TempDir private Path folder;

  private static byte[] archive() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarWriter tar = new TarWriter(bytes)) {
      for (var file : FILES.entrySet()) {
        tar.add(file.getKey(), file.getValue());
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void tarReadsBackEveryNameAndByte() throws Exception {
    Path file = Files.write(folder.resolve("x.tar"), archive());
    Process tar =
        new ProcessBuilder(List.of("tar", "-xf", file.toString(), "-C", folder.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tar.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
    for (var each : FILES.entrySet()) {
      assertThat(folder.resolve(each.getKey())).hasBinaryContent(each.getValue());
    }
  }

  @Test
  void theSameContentMakesTheSameArchive() throws IOException {
    assertThat(archive()).isEqualTo(archive()).hasSizeGreaterThan(512 * 12);
  }
}
