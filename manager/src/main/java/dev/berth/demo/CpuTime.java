package dev.berth.demo;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;

/**
 * What became of the time of some CPUs since the start of the machine, in the kernel's ticks.
 *
 * @param busy somebody ran
 * @param stolen the host of this machine ran another one
 * @param all busy, stolen or idle
 */
record CpuTime(long busy, long stolen, long all) {
  /** Columns of /proc/stat after the name: user nice system idle iowait irq softirq steal. */
  private static final int IDLE = 4;

  private static final int WAITING = 5;
  private static final int STEAL = 8;

  /** Of some CPUs, added up, from the text of {@code /proc/stat}. */
  static CpuTime of(CpuSet cpus, String text) {
    CpuTime sum = new CpuTime(0, 0, 0);
    for (String line : text.split("\n", -1)) {
      String[] words = line.split(" +", -1);
      if (words.length > STEAL
          && words[0].matches("cpu[0-9]{1,9}")
          && cpus.contains(Integer.parseInt(words[0].substring(3)))) {
        sum = sum.plus(of(words));
      }
    }
    if (sum.all == 0) {
      throw new InvalidInputException("/proc/stat: expected CPUs " + cpus + ", found none of them");
    }
    return sum;
  }

  private static CpuTime of(String[] words) {
    long all = 0;
    for (int i = 1; i <= STEAL; i++) {
      all += Long.parseLong(words[i]);
    }
    long stolen = Long.parseLong(words[STEAL]);
    long idle = Long.parseLong(words[IDLE]) + Long.parseLong(words[WAITING]);
    return new CpuTime(all - idle - stolen, stolen, all);
  }

  private CpuTime plus(CpuTime other) {
    return new CpuTime(busy + other.busy, stolen + other.stolen, all + other.all);
  }

  /** What has become of it since. */
  CpuTime since(CpuTime earlier) {
    return new CpuTime(busy - earlier.busy, stolen - earlier.stolen, all - earlier.all);
  }
}
