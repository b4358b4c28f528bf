package dev.berth.cli.watch;

import dev.berth.linux.UsedTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads how busy each CPU was since it was asked last, and how many CPUs each owner's own processes
 * used.
 */
final class LoadMeter {
  /** Columns of /proc/stat after the name: user nice system idle iowait irq softirq steal. */
  private static final int IDLE = 4;

  private static final int WAITING = 5;
  private static final int LAST = 8;

  /**
   * Hundredths of seconds since the start.
   *
   * @param busy not idle
   * @param all idle or not
   */
  record Ticks(long busy, long all) {}

  private final Path file;
  private Map<Integer, Ticks> before = Map.of();
  private Map<String, Long> usedBefore = Map.of();

  LoadMeter(Path file) {
    this.file = file;
  }

  static LoadMeter here() {
    return new LoadMeter(Path.of("/proc/stat"));
  }

  /**
   * Nothing the first time, and where the kernel tells nothing.
   *
   * @param seen whose processes to look at, where they run on this machine
   */
  Load measure(Optional<News.Seen> seen) {
    Map<Integer, Ticks> after;
    try {
      after = ticks(Files.readAllLines(file));
    } catch (IOException e) {
      after = Map.of();
    }
    Map<String, Long> used = seen.filter(News.Seen::isHere).map(LoadMeter::used).orElse(Map.of());
    Load load = Load.between(before, after).with(cpus(used, elapsed(before, after)));
    before = after;
    usedBefore = used;
    return load;
  }

  /** What owners have used so far, by uid. One whose containers have changed counts anew. */
  private static Map<String, Long> used(News.Seen seen) {
    Map<String, Long> used = new HashMap<>();
    for (PodLine pod : seen.status().pods()) {
      long sum = 0;
      for (long process : pod.processes()) {
        sum += UsedTime.ticks(process, seen.agent()).orElse(0);
      }
      if (!pod.processes().isEmpty()) {
        used.put(pod.uid(), sum);
      }
    }
    return used;
  }

  private Map<String, Double> cpus(Map<String, Long> used, long elapsed) {
    Map<String, Double> cpus = new HashMap<>();
    used.forEach((uid, ticks) -> {
      Long earlier = usedBefore.get(uid);
      if (earlier != null && elapsed > 0) {
        cpus.put(uid, Math.max(0.0, (double) (ticks - earlier) / elapsed));
      }
    });
    return cpus;
  }

  /** A CPU counts no time while it is off, so the longest is what has passed. */
  private static long elapsed(Map<Integer, Ticks> before, Map<Integer, Ticks> after) {
    return after.entrySet().stream()
        .mapToLong(entry ->
            entry.getValue().all() - before.getOrDefault(entry.getKey(), entry.getValue()).all())
        .max()
        .orElse(0);
  }

  private static Map<Integer, Ticks> ticks(List<String> lines) {
    Map<Integer, Ticks> ticks = new HashMap<>();
    for (String line : lines) {
      if (line.startsWith("cpu") && !line.startsWith("cpu ")) {
        String[] words = line.split(" +", -1);
        long all = 0;
        for (int i = 1; i < Math.min(words.length, LAST + 1); i++) {
          all += Long.parseLong(words[i]);
        }
        long idle = Long.parseLong(words[IDLE]) + Long.parseLong(words[WAITING]);
        ticks.put(Integer.valueOf(words[0].substring(3)), new Ticks(all - idle, all));
      }
    }
    return ticks;
  }
}
