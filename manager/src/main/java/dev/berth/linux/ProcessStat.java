package dev.berth.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What {@code /proc/PID/stat} tells of a process.
 *
 * @param pid its number
 * @param state a letter; {@code Z} and {@code X} for one that has ended
 * @param parent the process that started it, or took it over
 * @param session the process that its session began with
 * @param startTicks when it started, in clock ticks since boot
 */
record ProcessStat(long pid, char state, long parent, long session, long startTicks) {
  /** Counted after the name, which may hold anything, and its closing parenthesis. */
  private static final int STATE = 0;

  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int START = 19;

  static Optional<ProcessStat> of(Path proc, long pid) {
    try {
      byte[] text = Files.readAllBytes(proc.resolve(pid + "/stat"));
      return parse(pid, new String(text, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static Optional<ProcessStat> parse(long pid, String text) {
    int end = text.lastIndexOf(')');
    String[] fields = text.substring(Math.min(end + 2, text.length())).strip().split(" ", -1);
    if (end < 0 || fields.length <= START || fields[STATE].length() != 1) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ProcessStat(
              pid,
              fields[STATE].charAt(0),
              Long.parseLong(fields[PARENT]),
              Long.parseLong(fields[SESSION]),
              Long.parseLong(fields[START])));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether it still runs; one that has ended stays until its parent has asked how. */
  boolean isRunning() {
    return state != 'Z' && state != 'X';
  }
}
