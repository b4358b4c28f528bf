package dev.berth.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How many files this process may have open. */
final class Descriptors {
  private static final Path LIMITS = Path.of("/proc/self/limits");

  /** Where nobody says: as few as POSIX promises would leave nothing to spare. */
  private static final long UNKNOWN = 256;

  private Descriptors() {}

  static long limit() {
    try {
      return limit(Files.readAllLines(LIMITS));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** From the lines of the kernel's table: a name, the limit now, the highest it can be set to. */
  static long limit(List<String> table) {
    for (String line : table) {
      String[] words = line.split("\\s+", -1);
      if (line.startsWith("Max open files") && words.length > 3) {
        return words[3].equals("unlimited")
            ? Long.MAX_VALUE
            : Texts.number(words[3]).orElse(UNKNOWN);
      }
    }
    return UNKNOWN;
  }
}
