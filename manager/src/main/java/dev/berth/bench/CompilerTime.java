package dev.berth.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long this JVM and its compilers have worked, by what the kernel tells of their threads. The
 * JVM's own account counts a compilation only once it is over, and is in a module that packages
 * lack.
 *
 * @param compilers ticks of the threads that compile; 0 where the system does not tell
 * @param all ticks of all threads
 */
record CompilerTime(long compilers, long all) {
  private static final Path THREADS = Path.of("/proc/self/task");

  /** Of the words behind a thread's name, its time in programs; that in the kernel is next. */
  private static final int USER_TICKS = 11;

  /** Until now. */
  static CompilerTime now() {
    CompilerTime sum = new CompilerTime(0, 0);
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        sum = sum.plus(of(thread));
      }
    } catch (IOException e) {
      return new CompilerTime(0, 0); // another system than Linux
    }
    return sum;
  }

  private static CompilerTime of(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
      int named = stat.lastIndexOf(')');
      String[] words = stat.substring(named + 2).split(" ", -1);
      long ticks = Long.parseLong(words[USER_TICKS]) + Long.parseLong(words[USER_TICKS + 1]);
      boolean compiles = stat.substring(0, named).matches("[0-9]+ \\(C[12] Compiler.*");
      return new CompilerTime(compiles ? ticks : 0, ticks);
    } catch (IOException e) {
      return new CompilerTime(0, 0); // it has ended
    }
  }

  private CompilerTime plus(CompilerTime other) {
    return new CompilerTime(compilers + other.compilers, all + other.all);
  }

  /** The compilers' share of all that was done since. */
  double shareSince(CompilerTime before) {
    return (double) (compilers - before.compilers) / Math.max(1, all - before.all);
  }
}
