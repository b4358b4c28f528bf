package dev.berth.agent;

import dev.berth.observe.Gauge;
import dev.berth.observe.Registry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;

/** What every process tells of itself, under the names that Prometheus' own libraries use. */
final class ProcessMetrics {
  private static final Path SELF = Path.of("/proc/self");

  private final Gauge memory;
  private final Gauge descriptors;
  private final Gauge threads;

  ProcessMetrics(Registry registry) {
    memory = registry.gauge("process_resident_memory_bytes", "Resident memory of the agent.");
    descriptors = registry.gauge("process_open_fds", "Open descriptors of the agent.");
    threads = registry.gauge("process_threads", "Threads of the agent that the kernel knows.");
    registry
        .gauge("process_start_time_seconds", "When the agent started, since 1970.")
        .set(
            ProcessHandle.current().info().startInstant().orElseGet(Instant::now).toEpochMilli()
                / 1e3);
  }

  void refresh() {
    try {
      for (String line : Files.readAllLines(SELF.resolve("status"))) {
        if (line.startsWith("VmRSS:")) {
          memory.set(number(line) * 1024.0);
        } else if (line.startsWith("Threads:")) {
          threads.set((double) number(line));
        }
      }
      try (Stream<Path> open = Files.list(SELF.resolve("fd"))) {
        // Looking at them opens one more.
        descriptors.set((double) Math.max(0, open.count() - 1));
      }
    } catch (IOException e) {
      // Without a descriptor to read them with, the last numbers stand.
      return;
    }
  }

  private static long number(String line) {
    return Long.parseLong(line.replaceAll("[^0-9]", ""));
  }
}
