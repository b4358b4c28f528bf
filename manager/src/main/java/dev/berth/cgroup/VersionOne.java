package dev.berth.cgroup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Version 1: the files {@code cpuset.*}, {@code cpu.*}, {@code memory.limit_in_bytes} and {@code
 * hugetlb.SIZE.limit_in_bytes}, each in its controller's tree. There are no partitions.
 */
record VersionOne(long pageSize) implements Dialect {
  private static final String QUOTA = "cpu.cfs_quota_us";
  private static final String PERIOD = "cpu.cfs_period_us";
  private static final String MIGRATE = "cpuset.memory_migrate";

  /** What the kernel shows for no limit: the highest number in whole pages, of any page size. */
  private static final long BOUNDLESS = Long.MAX_VALUE - (1L << 30);

  @Override
  public Settings fresh() {
    return Settings.NONE
        .withWeight(1_024)
        .withQuota(Quota.unlimited())
        .withMemory(Limit.unlimited());
  }

  @Override
  public Optional<Setting> normal(Setting wanted) {
    return wanted instanceof Setting.Parted
        ? Optional.empty()
        : Optional.of(Texts.wholePages(wanted, pageSize));
  }

  @Override
  public String file(Setting setting) {
    return switch (setting) {
      case Setting.Cpus ignored -> "cpuset.cpus";
      case Setting.Mems ignored -> "cpuset.mems";
      case Setting.Weight ignored -> "cpu.shares";
      case Setting.Time ignored -> QUOTA;
      case Setting.Memory ignored -> "memory.limit_in_bytes";
      case Setting.Hugepages(long size, Limit ignored) ->
          "hugetlb." + Texts.pageSize(size) + ".limit_in_bytes";
      case Setting.Parted ignored -> "cpuset.cpus.partition";
    };
  }

  @Override
  public Optional<Integer> shares(String text) {
    return Texts.number(text)
        .filter(shares -> shares >= 2 && shares <= 262_144)
        .map(Long::intValue);
  }

  @Override
  public Optional<Quota> quota(String text, Files files) throws IOException {
    long quota = Texts.number(text).orElse(0L);
    if (quota == -1) {
      return Optional.of(Quota.unlimited());
    }
    return Texts.quota(quota, Texts.number(files.read(Controller.CPU, PERIOD)).orElse(0L));
  }

  @Override
  public Optional<Limit> limit(String text) {
    return Texts.number(text)
        .filter(bytes -> bytes >= 0)
        .map(bytes -> bytes >= BOUNDLESS ? Limit.unlimited() : Limit.of(bytes));
  }

  @Override
  public Optional<Partition> partition(String text) {
    return Optional.empty();
  }

  @Override
  public List<FileWrite> writes(Optional<Setting> before, Setting value) {
    return switch (value) {
      case Setting.Cpus(var cpus) -> one(value, cpus.toString());
      // Pages that lie elsewhere follow only where that is said first; version 2 does so always.
      case Setting.Mems(var mems) ->
          List.of(new FileWrite(MIGRATE, "1"), new FileWrite(file(value), mems.toString()));
      case Setting.Weight(int shares) -> one(value, String.valueOf(shares));
      case Setting.Time(Quota.Unlimited ignored) -> one(value, "-1");
      case Setting.Time(Quota.Limited limited) -> quota(before, limited);
      case Setting.Memory(Limit limit) -> one(value, limit(limit));
      case Setting.Hugepages(long ignored, Limit limit) -> one(value, limit(limit));
      case Setting.Parted ignored -> List.of();
    };
  }

  /**
   * Quota and period are written apart, and the kernel refuses a group more than its parent or less
   * than its children have, in between too. Without a limit a group is always within both.
   */
  private static List<FileWrite> quota(Optional<Setting> before, Quota.Limited limited) {
    List<FileWrite> writes = new ArrayList<>();
    Quota had =
        before.isPresent() && before.get() instanceof Setting.Time(Quota quota)
            ? quota
            : new Quota.Limited(1_000, 1_000);
    if (had instanceof Quota.Limited(long ignored, long period)
        && period != limited.periodMicros()) {
      writes.add(new FileWrite(QUOTA, "-1"));
    }
    if (!(had instanceof Quota.Limited(long ignored, long period))
        || period != limited.periodMicros()) {
      writes.add(new FileWrite(PERIOD, String.valueOf(limited.periodMicros())));
    }
    writes.add(new FileWrite(QUOTA, String.valueOf(limited.quotaMicros())));
    return writes;
  }

  private List<FileWrite> one(Setting setting, String value) {
    return List.of(new FileWrite(file(setting), value));
  }

  private static String limit(Limit limit) {
    return switch (limit) {
      case Limit.Unlimited ignored -> "-1";
      case Limit.Bytes(long bytes) -> String.valueOf(bytes);
    };
  }
}
