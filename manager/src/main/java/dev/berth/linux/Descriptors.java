package dev.berth.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file descriptors of this process.
 *
 * @param most how many it may have open
 * @param open how many it has open
 */
public record Descriptors(long most, long open) {
  private static final Path SELF = Path.of("/proc/self");
  private static final String LIMIT = "Max open files";

  /** Those of now. */
  public static Descriptors now() throws IOException {
    long open = -1; // looking at them opens one more
    try (DirectoryStream<Path> all = Files.newDirectoryStream(SELF.resolve("fd"))) {
      for (Path _ : all) {
        open++;
      }
    }
    for (String line : Files.readAllLines(SELF.resolve("limits"))) {
      if (line.startsWith(LIMIT)) {
        String soft = line.substring(LIMIT.length()).strip().split(" ", 2)[0];
        return new Descriptors(
            soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft), open);
      }
    }
    throw new IOException(SELF.resolve("limits") + ": expected a line " + LIMIT);
  }

  /** How many more it may open. */
  public long free() {
    return Math.max(0, most - open);
  }
}
