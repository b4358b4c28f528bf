package dev.berth.cri;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.protocols.cri.HugepageLimit;
import dev.berth.protocols.cri.LinuxContainerResources;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a container may use. Empty is what the runtime does not say, or what an update leaves alone.
 *
 * @param period microseconds in which the quota may be used up
 * @param quota microseconds of CPU in each period; -1 for no limit
 * @param shares weight among those who want the same CPU, by cgroup version 1's scale
 * @param memoryLimit bytes
 * @param hugepages bytes of each size of page, as the kernel names it
 * @param cpus on which it may run; never the empty set, which the interface cannot say
 * @param memoryNodes from which it may have memory; never the empty set
 */
public record CriResources(
    OptionalLong period,
    OptionalLong quota,
    OptionalLong shares,
    OptionalLong memoryLimit,
    SortedMap<String, Long> hugepages,
    Optional<CpuSet> cpus,
    Optional<NodeSet> memoryNodes) {
  /** Says nothing. */
  public static final CriResources NOTHING =
      new CriResources(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          Collections.emptySortedMap(),
          Optional.empty(),
          Optional.empty());

  /** The quota that limits nothing. */
  public static final long UNLIMITED = -1;

  /** Takes a copy; refuses what a runtime would take for "leave it as it is". */
  public CriResources {
    hugepages = Collections.unmodifiableSortedMap(new TreeMap<>(hugepages));
    if (cpus.filter(CpuSet::isEmpty).isPresent()) {
      throw new InvalidInputException("container's cpus: expected one at least, found none");
    }
    if (memoryNodes.filter(NodeSet::isEmpty).isPresent()) {
      throw new InvalidInputException(
          "container's memory nodes: expected one at least, found none");
    }
  }

  /** The same, on these CPUs. */
  public CriResources withCpus(CpuSet set) {
    return new CriResources(
        period, quota, shares, memoryLimit, hugepages, Optional.of(set), memoryNodes);
  }

  /** The same, with memory from these nodes. */
  public CriResources withMemoryNodes(NodeSet set) {
    return new CriResources(period, quota, shares, memoryLimit, hugepages, cpus, Optional.of(set));
  }

  /** The same, with this quota in microseconds of each period; {@link #UNLIMITED} for none. */
  public CriResources withQuota(long microseconds) {
    return new CriResources(
        period, OptionalLong.of(microseconds), shares, memoryLimit, hugepages, cpus, memoryNodes);
  }

  static CriResources of(LinuxContainerResources linux) {
    SortedMap<String, Long> hugepages = new TreeMap<>();
    for (HugepageLimit limit : linux.getHugepageLimitsList()) {
      hugepages.put(limit.getPageSize(), limit.getLimit());
    }
    return of(
        linux.getCpuPeriod(),
        linux.getCpuQuota(),
        linux.getCpuShares(),
        linux.getMemoryLimitInBytes(),
        hugepages,
        linux.getCpusetCpus(),
        linux.getCpusetMems());
  }

  /** As the interface has them: 0 and the empty text say nothing. */
  static CriResources of(
      long period,
      long quota,
      long shares,
      long memoryLimit,
      SortedMap<String, Long> hugepages,
      String cpus,
      String memoryNodes) {
    return new CriResources(
        said(period),
        said(quota),
        said(shares),
        said(memoryLimit),
        hugepages,
        cpus.isEmpty() ? Optional.empty() : Optional.of(CpuSet.parse(cpus)),
        memoryNodes.isEmpty() ? Optional.empty() : Optional.of(NodeSet.parse(memoryNodes)));
  }

  private List<HugepageLimit> limits() {
    return hugepages.entrySet().stream()
        .map(one ->
            HugepageLimit.newBuilder().setPageSize(one.getKey()).setLimit(one.getValue()).build())
        .toList();
  }

  private static OptionalLong said(long value) {
    return value == 0 ? OptionalLong.empty() : OptionalLong.of(value);
  }

  LinuxContainerResources message() {
    return LinuxContainerResources.newBuilder()
        .setCpuPeriod(period.orElse(0))
        .setCpuQuota(quota.orElse(0))
        .setCpuShares(shares.orElse(0))
        .setMemoryLimitInBytes(memoryLimit.orElse(0))
        .addAllHugepageLimits(limits())
        .setCpusetCpus(cpus.map(CpuSet::toString).orElse(""))
        .setCpusetMems(memoryNodes.map(NodeSet::toString).orElse(""))
        .build();
  }
}
