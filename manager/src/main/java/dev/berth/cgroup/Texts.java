package dev.berth.cgroup;

import dev.berth.cgroup.Dialect.Reading;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What both versions read and write alike. */
final class Texts {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private Texts() {}

  /** The CPUs; other than any that we would write where there are none. */
  static Reading cpus(@Nullable String text) {
    try {
      return text == null
          ? Reading.ABSENT
          : text.isEmpty() ? Reading.OTHER : Reading.of(new Setting.Cpus(CpuSet.parse(text)));
    } catch (InvalidInputException e) {
      return Reading.OTHER;
    }
  }

  /** The nodes; other than any that we would write where there are none. */
  static Reading mems(@Nullable String text) {
    try {
      return text == null
          ? Reading.ABSENT
          : text.isEmpty() ? Reading.OTHER : Reading.of(new Setting.Mems(NodeSet.parse(text)));
    } catch (InvalidInputException e) {
      return Reading.OTHER;
    }
  }

  static Optional<Long> number(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** A quota in a period, both in microseconds; empty where the kernel would not take them. */
  static Optional<Quota> quota(long quota, long period) {
    return quota >= 1_000 && period >= 1_000 && period <= 1_000_000
        ? Optional.of(new Quota.Limited(quota, period))
        : Optional.empty();
  }

  /** A size of page as the kernel names files by it, for example {@code 2MB}. */
  static String pageSize(long bytes) {
    if (bytes >= GIB) {
      return bytes / GIB + "GB";
    }
    return bytes >= MIB ? bytes / MIB + "MB" : bytes / KIB + "KB";
  }

  /** A limit in whole pages, and others as they are. */
  static Setting wholePages(Setting setting, long pageSize) {
    return switch (setting) {
      case Setting.Memory(Limit limit) -> new Setting.Memory(limit.wholePages(pageSize));
      case Setting.Hugepages(long size, Limit limit) ->
          new Setting.Hugepages(size, limit.wholePages(size));
      case Setting.Cpus cpus -> cpus;
      case Setting.Mems mems -> mems;
      case Setting.Weight weight -> weight;
      case Setting.Time time -> time;
      case Setting.Parted parted -> parted;
    };
  }
}
