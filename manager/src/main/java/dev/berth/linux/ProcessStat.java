package dev.berth.linux;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What {@code /proc/PID/stat} tells of a process.
 *
 * @param pid its number
 * @param irq whether its name is that of a thread that handles an interrupt; anybody may take it
 * @param state a letter, that of its first thread; {@code Z} and {@code X} where that has ended
 * @param parent the process that started it, or took it over
 * @param session the process that its session began with
 * @param flags the kernel's own marks on it
 * @param threads how many it has; its first one counts until all have ended
 * @param startTicks when it started, in clock ticks since boot
 */
record ProcessStat(
    long pid,
    boolean irq,
    char state,
    long parent,
    long session,
    long flags,
    long threads,
    long startTicks) {
  /** What a name begins with that the kernel gives to a thread for an interrupt. */
  private static final String IRQ = "(irq/";

  /** Counted after the name, which may hold anything, and its closing parenthesis. */
  private static final int STATE = 0;

  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int FLAGS = 6;
  private static final int THREADS = 17;
  private static final int START = 19;

  /** In bytes; more than 52 numbers and a name can be. */
  private static final int LONGEST = 2_048;

  static Optional<ProcessStat> of(Path proc, long pid) {
    try (FileInputStream in = new FileInputStream(proc + "/" + pid + "/stat")) {
      byte[] text = new byte[LONGEST];
      int length = in.readNBytes(text, 0, LONGEST);
      return parse(pid, new String(text, 0, length, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static Optional<ProcessStat> parse(long pid, String text) {
    int end = text.lastIndexOf(')');
    if (end < 0) {
      return Optional.empty();
    }
    List<String> fields = new ArrayList<>(START + 1);
    // What comes behind is none of our business, and this is read for every container in each pass.
    int from = end + 2;
    while (fields.size() <= START) {
      int space = text.indexOf(' ', from);
      if (space < 0) {
        return Optional.empty();
      }
      fields.add(text.substring(from, space));
      from = space + 1;
    }
    if (fields.get(STATE).length() != 1) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ProcessStat(
              pid,
              text.startsWith(IRQ, text.indexOf('(')),
              fields.get(STATE).charAt(0),
              Long.parseLong(fields.get(PARENT)),
              Long.parseLong(fields.get(SESSION)),
              Long.parseLong(fields.get(FLAGS)),
              Long.parseLong(fields.get(THREADS)),
              Long.parseLong(fields.get(START))));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether nobody can change where it runs: the kernel's own threads for one CPU, and such. The
   * one that starts all of these, and does little else, is in no group but the topmost. One that
   * handles an interrupt is wherever that comes in, and the kernel takes it there again.
   */
  boolean isFixed() {
    final long noSetAffinity = 0x0400_0000;
    final long kernelThread = 0x0020_0000;
    return (flags & noSetAffinity) != 0 || ((flags & kernelThread) != 0 && (parent == 0 || irq));
  }

  /**
   * Whether it still runs; one that has ended stays until its parent has asked how.
   *
   * <p>A first thread may end before the others. It does for a moment in every JVM that becomes
   * another program, since another thread than the first asks the kernel for that.
   */
  boolean isRunning() {
    return state == 'Z' ? threads > 1 : state != 'X';
  }
}
