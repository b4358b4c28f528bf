package dev.berth.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** Times and sizes, as they are measured. */
final class Figures {
  private Figures() {}

  /**
   * What an agent has of the machine.
   *
   * @param residentKilobytes memory
   */
  record Size(long residentKilobytes, long threads, long descriptors, long processes) {
    static Size of(RealAgent agent) throws IOException {
      Path process = Path.of("/proc", String.valueOf(agent.pid()));
      try (Stream<Path> threads = Files.list(process.resolve("task"));
          Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
        return new Size(
            resident(process),
            threads.count(),
            descriptors.count(),
            ProcessHandle.of(agent.pid()).orElseThrow().descendants().count());
      }
    }

    private static long resident(Path process) throws IOException {
      for (String line : Files.readAllLines(process.resolve("status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
      throw new AssertionError("no VmRSS in " + process);
    }
  }

  /** The value below which so many of a hundred are. */
  static double percentile(double[] values, double percent) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * percent / 100))];
  }

  static String line(String what, double[] milliseconds) {
    return String.format(
        "%s: first %.1f ms, median %.1f, p99 %.1f, slowest %.1f (%d times)",
        what,
        milliseconds[0],
        percentile(milliseconds, 50),
        percentile(milliseconds, 99),
        percentile(milliseconds, 100),
        milliseconds.length);
  }
}
