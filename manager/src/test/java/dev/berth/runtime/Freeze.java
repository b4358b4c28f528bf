package dev.berth.runtime;

import dev.berth.linux.Posix;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Stops processes without ending them: their connections stay, nobody answers. */
public final class Freeze {
  private static final int SIGSTOP = 19;
  private static final int SIGCONT = 18;

  private Freeze() {}

  /**
   * Returns when every thread has stopped. The signal alone does not say so: each thread notices it
   * in its own time, and until then may answer.
   */
  public static void stop(long pid) throws IOException {
    Posix.kill(pid, SIGSTOP);
    Waiting.until("process " + pid + " to stop", () -> hasStopped(pid));
  }

  /** Lets it go on. */
  public static void thaw(long pid) throws IOException {
    Posix.kill(pid, SIGCONT);
  }

  private static boolean hasStopped(long pid) throws IOException {
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path thread : threads) {
        if (!isStopped(thread)) {
          return false;
        }
      }
      return true;
    }
  }

  /** By the letter behind the name, which may have brackets and blanks of its own. */
  private static boolean isStopped(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      return false; // It ended meanwhile; the next look does not see it.
    }
  }
}
