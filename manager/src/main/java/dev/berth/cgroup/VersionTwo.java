package dev.berth.cgroup;

import java.util.List;
import java.util.Optional;

/**
 * Version 2: the files {@code cpuset.*}, {@code cpu.weight}, {@code cpu.max}, {@code memory.max}
 * and {@code hugetlb.SIZE.max}, all in one tree.
 */
record VersionTwo(long pageSize) implements Dialect {
  private static final int MOST_WEIGHT = 10_000;
  private static final int USUAL_WEIGHT = 100;
  private static final String BOUNDLESS = "max";

  @Override
  public Settings fresh() {
    return Settings.NONE
        .withWeight(shares(USUAL_WEIGHT))
        .withQuota(Quota.unlimited())
        .withMemory(Limit.unlimited())
        .withPartition(Partition.MEMBER);
  }

  /** The weight, 1 to 10000, of cpu shares, 2 to 262144: linear, and rounded down. */
  static int weight(int shares) {
    return (int) (1 + (shares - 2) * 9_999L / 262_142L);
  }

  /** The fewest cpu shares of a weight, so that any shares of that weight compare as equal. */
  static int shares(int weight) {
    return (int) (2 + ((weight - 1) * 262_142L + 9_998L) / 9_999L);
  }

  @Override
  public Optional<Setting> normal(Setting wanted) {
    return Optional.of(
        wanted instanceof Setting.Weight(int shares)
            ? new Setting.Weight(shares(weight(shares)))
            : Texts.wholePages(wanted, pageSize));
  }

  @Override
  public String file(Setting setting) {
    return switch (setting) {
      case Setting.Cpus ignored -> "cpuset.cpus";
      case Setting.Mems ignored -> "cpuset.mems";
      case Setting.Weight ignored -> "cpu.weight";
      case Setting.Time ignored -> "cpu.max";
      case Setting.Memory ignored -> "memory.max";
      case Setting.Hugepages(long size, Limit ignored) ->
          "hugetlb." + Texts.pageSize(size) + ".max";
      case Setting.Parted ignored -> "cpuset.cpus.partition";
    };
  }

  @Override
  public Optional<Integer> shares(String text) {
    return Texts.number(text)
        .filter(weight -> weight >= 1 && weight <= MOST_WEIGHT)
        .map(weight -> shares(weight.intValue()));
  }

  /** Quota, a space, period. */
  @Override
  public Optional<Quota> quota(String text, Files files) {
    int space = text.indexOf(' ');
    String quota = space < 0 ? text : text.substring(0, space);
    if (quota.equals(BOUNDLESS)) {
      return Optional.of(Quota.unlimited());
    }
    long period = space < 0 ? 0L : Texts.number(text.substring(space + 1)).orElse(0L);
    return Texts.quota(Texts.number(quota).orElse(0L), period);
  }

  @Override
  public Optional<Limit> limit(String text) {
    return text.equals(BOUNDLESS)
        ? Optional.of(Limit.unlimited())
        : Texts.number(text).filter(bytes -> bytes >= 0).map(Limit::of);
  }

  @Override
  public Optional<Partition> partition(String text) {
    return Partition.ofWord(text);
  }

  @Override
  public List<FileWrite> writes(Optional<Setting> before, Setting value) {
    String text =
        switch (value) {
          case Setting.Cpus(var cpus) -> cpus.toString();
          case Setting.Mems(var mems) -> mems.toString();
          case Setting.Weight(int shares) -> String.valueOf(weight(shares));
          case Setting.Time(Quota.Unlimited ignored) -> BOUNDLESS + " " + Quota.USUAL_PERIOD;
          case Setting.Time(Quota.Limited(long quota, long period)) -> quota + " " + period;
          case Setting.Memory(Limit limit) -> limit(limit);
          case Setting.Hugepages(long ignored, Limit limit) -> limit(limit);
          case Setting.Parted(Partition partition) -> partition.word();
        };
    return List.of(new FileWrite(file(value), text));
  }

  private static String limit(Limit limit) {
    return switch (limit) {
      case Limit.Unlimited ignored -> BOUNDLESS;
      case Limit.Bytes(long bytes) -> String.valueOf(bytes);
    };
  }
}
