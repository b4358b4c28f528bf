package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a group has, or is to have. What is absent is never written.
 *
 * @param cpus the CPUs its processes run on, never none
 * @param mems the NUMA nodes its memory comes from, never none
 * @param weight its part of contended CPU time as Kubernetes' cpu shares, 2 to 262144
 * @param quota its CPU time at most
 * @param memory its memory at most; the kernel rounds down to whole pages
 * @param hugepages its hugepages at most, in bytes, by the size of page in bytes
 * @param partition whether its CPUs are scheduled apart; version 2 only
 * @param exclusive whether its CPUs belong to no other group; decides on the order of writes and is
 *     never written itself
 */
public record Settings(
    Optional<CpuSet> cpus,
    Optional<NodeSet> mems,
    OptionalInt weight,
    Optional<Quota> quota,
    Optional<Limit> memory,
    SortedMap<Long, Limit> hugepages,
    Optional<Partition> partition,
    boolean exclusive) {
  /** Nothing asked for. */
  public static final Settings NONE =
      new Settings(
          Optional.empty(),
          Optional.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty(),
          Collections.emptySortedMap(),
          Optional.empty(),
          false);

  private static final int LEAST_WEIGHT = 2;
  private static final int MOST_WEIGHT = 262_144;
  private static final long LEAST_PAGE = 1_024;

  public Settings {
    if (cpus.isPresent() && cpus.get().isEmpty()) {
      throw new InvalidInputException("cgroup cpus: expected at least one CPU, found none");
    }
    if (mems.isPresent() && mems.get().isEmpty()) {
      throw new InvalidInputException("cgroup mems: expected at least one NUMA node, found none");
    }
    if (weight.isPresent()
        && (weight.getAsInt() < LEAST_WEIGHT || weight.getAsInt() > MOST_WEIGHT)) {
      throw new InvalidInputException(
          "cgroup weight: expected 2 to 262144 shares, found " + weight.getAsInt());
    }
    // Most groups have none, and a pass over all groups makes thousands of these.
    hugepages =
        hugepages.isEmpty()
            ? Collections.emptySortedMap()
            : Collections.unmodifiableSortedMap(new TreeMap<>(hugepages));
    if (!hugepages.isEmpty() && hugepages.firstKey() < LEAST_PAGE) {
      throw new InvalidInputException(
          "cgroup hugepages: expected a page size of 1024 bytes or more, found "
              + hugepages.firstKey());
    }
  }

  /** These with other CPUs. */
  public Settings withCpus(CpuSet set) {
    return with(new Setting.Cpus(set));
  }

  /** These with other NUMA nodes. */
  public Settings withMems(NodeSet set) {
    return with(new Setting.Mems(set));
  }

  /** These with another weight, as cpu shares. */
  public Settings withWeight(int shares) {
    return with(new Setting.Weight(shares));
  }

  /** These with another quota. */
  public Settings withQuota(Quota other) {
    return with(new Setting.Time(other));
  }

  /** These with another limit of memory. */
  public Settings withMemory(Limit limit) {
    return with(new Setting.Memory(limit));
  }

  /** These with another limit of hugepages of one size. */
  public Settings withHugepages(long pageSize, Limit limit) {
    return with(new Setting.Hugepages(pageSize, limit));
  }

  /** These with another partition. */
  public Settings withPartition(Partition other) {
    return with(new Setting.Parted(other));
  }

  /** These with CPUs that belong to no other group. */
  public Settings withExclusive() {
    return new Settings(cpus, mems, weight, quota, memory, hugepages, partition, true);
  }

  /** Each thing that is asked for, always in the same order. */
  List<Setting> each() {
    List<Setting> all = new ArrayList<>();
    cpus.ifPresent(set -> all.add(new Setting.Cpus(set)));
    mems.ifPresent(set -> all.add(new Setting.Mems(set)));
    weight.ifPresent(shares -> all.add(new Setting.Weight(shares)));
    quota.ifPresent(time -> all.add(new Setting.Time(time)));
    memory.ifPresent(limit -> all.add(new Setting.Memory(limit)));
    for (Map.Entry<Long, Limit> entry : hugepages.entrySet()) {
      all.add(new Setting.Hugepages(entry.getKey(), entry.getValue()));
    }
    partition.ifPresent(part -> all.add(new Setting.Parted(part)));
    return all;
  }

  /** What is had of the kind of {@code like}. */
  Optional<Setting> like(Setting like) {
    return switch (like) {
      case Setting.Cpus ignored -> cpus.map(Setting.Cpus::new);
      case Setting.Mems ignored -> mems.map(Setting.Mems::new);
      case Setting.Weight ignored ->
          weight.isPresent()
              ? Optional.of(new Setting.Weight(weight.getAsInt()))
              : Optional.empty();
      case Setting.Time ignored -> quota.map(Setting.Time::new);
      case Setting.Memory ignored -> memory.map(Setting.Memory::new);
      case Setting.Hugepages(long size, Limit ignored) ->
          Optional.ofNullable(hugepages.get(size)).map(limit -> new Setting.Hugepages(size, limit));
      case Setting.Parted ignored -> partition.map(Setting.Parted::new);
    };
  }

  /** Whether all that others ask for is had, whatever else. */
  boolean includes(Settings others) {
    return (others.cpus.isEmpty() || others.cpus.equals(cpus))
        && (others.mems.isEmpty() || others.mems.equals(mems))
        && (others.weight.isEmpty() || others.weight.equals(weight))
        && (others.quota.isEmpty() || others.quota.equals(quota))
        && (others.memory.isEmpty() || others.memory.equals(memory))
        && hugepages.entrySet().containsAll(others.hugepages.entrySet())
        && (others.partition.isEmpty() || others.partition.equals(partition));
  }

  Settings with(Setting setting) {
    return switch (setting) {
      case Setting.Cpus(CpuSet set) ->
          new Settings(
              Optional.of(set), mems, weight, quota, memory, hugepages, partition, exclusive);
      case Setting.Mems(NodeSet set) ->
          new Settings(
              cpus, Optional.of(set), weight, quota, memory, hugepages, partition, exclusive);
      case Setting.Weight(int shares) ->
          new Settings(
              cpus, mems, OptionalInt.of(shares), quota, memory, hugepages, partition, exclusive);
      case Setting.Time(Quota time) ->
          new Settings(
              cpus, mems, weight, Optional.of(time), memory, hugepages, partition, exclusive);
      case Setting.Memory(Limit limit) ->
          new Settings(
              cpus, mems, weight, quota, Optional.of(limit), hugepages, partition, exclusive);
      case Setting.Hugepages(long size, Limit limit) -> {
        SortedMap<Long, Limit> pages = new TreeMap<>(hugepages);
        pages.put(size, limit);
        yield new Settings(cpus, mems, weight, quota, memory, pages, partition, exclusive);
      }
      case Setting.Parted(Partition part) ->
          new Settings(cpus, mems, weight, quota, memory, hugepages, Optional.of(part), exclusive);
    };
  }

  /** These but for what is of the kind of {@code like}. */
  Settings without(Setting like) {
    Settings rest = exclusive ? NONE.withExclusive() : NONE;
    for (Setting setting : each()) {
      rest = setting.isLike(like) ? rest : rest.with(setting);
    }
    return rest;
  }

  /** Who is needed to enforce these. */
  Set<Controller> controllers() {
    Set<Controller> needed = EnumSet.noneOf(Controller.class);
    each().forEach(setting -> needed.add(setting.controller()));
    return needed;
  }
}
