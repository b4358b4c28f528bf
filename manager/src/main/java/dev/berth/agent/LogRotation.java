package dev.berth.agent;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Cuts a log short while somebody writes to it.
 *
 * <p>A container has its log open and appends, so the file cannot be renamed from under it: the end
 * of it is copied beside, and the file begins anew. What is printed between the two is lost, which
 * is the price of having no process of ours between a container and its log. At most as much is
 * copied as the log may have, so that one who prints without end cannot hold up the agent.
 */
final class LogRotation {
  private static final String OLD = ".old";

  private LogRotation() {}

  /** Where the end of what was cut off is. */
  static Path old(Path log) {
    return log.resolveSibling(log.getFileName() + OLD);
  }

  /**
   * Rotates a log that has become too long; whether it had.
   *
   * @param limit the bytes that it may have
   * @throws IOException where that cannot be done; then the log is as it was
   */
  static boolean rotate(Path log, long limit) throws IOException {
    long size;
    try {
      size = Files.size(log);
    } catch (NoSuchFileException e) {
      return false;
    }
    if (size <= limit) {
      return false;
    }
    Path fresh = log.resolveSibling(log.getFileName() + OLD + ".new");
    try (FileChannel from =
        FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      copyEnd(from, fresh, limit);
      Files.move(fresh, old(log), StandardCopyOption.ATOMIC_MOVE);
      from.truncate(0);
      return true;
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static void copyEnd(FileChannel from, Path file, long limit) throws IOException {
    try (FileChannel to =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      long at = Math.max(0, from.size() - limit);
      for (long copied = 1; copied > 0; at += copied) {
        copied = from.transferTo(at, limit, to);
        if (to.size() >= 2 * limit) {
          return;
        }
      }
    }
  }
}
