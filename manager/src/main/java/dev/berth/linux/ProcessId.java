package dev.berth.linux;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One process and no other: the kernel gives numbers again, but not with the same start.
 *
 * @param pid its number
 * @param startTicks when it started, in clock ticks since boot
 */
public record ProcessId(long pid, long startTicks) {
  static final Path PROC = Path.of("/proc");

  public ProcessId {
    if (pid <= 0 || startTicks < 0) {
      throw new InvalidInputException(
          "process: expected a number above 0 and a start of 0 or later, found "
              + pid
              + " and "
              + startTicks);
    }
  }

  /** The process that has this number now; empty where none has, or where it has ended. */
  public static Optional<ProcessId> of(long pid) {
    return ProcessStat.of(PROC, pid)
        .filter(ProcessStat::isRunning)
        .map(stat -> new ProcessId(pid, stat.startTicks()));
  }

  /** Whether it still runs. */
  public boolean isAlive() {
    return of(pid).filter(this::equals).isPresent();
  }

  /**
   * Sends it a signal.
   *
   * @return false where it has ended, so that none was sent
   * @throws IOException where it is not ours to send signals to
   */
  public boolean signal(int signal) throws IOException {
    if (!isAlive()) {
      return false;
    }
    try {
      Posix.kill(pid, signal);
      return true;
    } catch (IOException e) {
      if (isAlive()) {
        throw e;
      }
      return false;
    }
  }
}
