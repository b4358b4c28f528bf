package dev.berth.cli.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads how busy each CPU was since it was asked last. */
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

  LoadMeter(Path file) {
    this.file = file;
  }

  static LoadMeter here() {
    return new LoadMeter(Path.of("/proc/stat"));
  }

  /** Nothing the first time, and where the kernel tells nothing. */
  Load measure() {
    Map<Integer, Ticks> after;
    try {
      after = ticks(Files.readAllLines(file));
    } catch (IOException e) {
      after = Map.of();
    }
    Load load = Load.between(before, after);
    before = after;
    return load;
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
