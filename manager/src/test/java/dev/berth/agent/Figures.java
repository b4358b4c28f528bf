package dev.berth.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** Prints times for {@code bench/runtimes}, in their order. */
  static void tellTimes(String name, long... nanos) {
    for (long time : nanos) {
      tell(name, "ns", time);
    }
  }

  /** The same for what an agent has of memory. */
  static void tellMemory(String name, Size size) {
    tell(name, "kB", size.residentKilobytes());
  }

  private static void tell(String name, String unit, long figure) {
    System.out.println("{\"name\":\"" + name + "\",\"" + unit + "\":" + figure + "}");
  }
}
