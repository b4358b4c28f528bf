package dev.berth.agent.found;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What becomes of containers that no record names.
 *
 * <p>Such a container keeps its CPUs, unless its cpuset is the pool that remains without the CPUs
 * of all holders, known and unknown: then it runs on the shared pool. A cpuset that covers the
 * whole machine confines nothing and a cpuset of reserved CPUs holds none that could be given, so
 * both share too. A partition never shares. Where two cpusets could be the pool, or where no
 * reserved CPU is in the pool and a single container has it, none is taken for it.
 */
public final class UnknownContainers {
  private final NodeCpus cpus;
  private final List<FoundContainer> found;

  private UnknownContainers(NodeCpus cpus, List<FoundContainer> found) {
    this.cpus = cpus;
    this.found = found;
  }

  /**
   * Judges them.
   *
   * @param found containers that no record names
   * @param isPod whether a uid is that of a pod with a record
   * @param known the CPUs that pods with a record hold
   * @param running of these, the CPUs of pods whose containers run; other claims give way
   * @param placed the CPUs on which containers with a record run that are owed exclusive CPUs
   */
  public static List<UnknownContainer> judge(
      NodeCpus cpus,
      List<FoundContainer> found,
      Predicate<String> isPod,
      CpuSet known,
      CpuSet running,
      CpuSet placed) {
    return new UnknownContainers(cpus, found).judge(isPod, known, running, placed);
  }

  private List<UnknownContainer> judge(
      Predicate<String> isPod, CpuSet known, CpuSet running, CpuSet placed) {
    Set<CpuSet> shared = shared(known, placed);
    CpuSet taken = running.union(cpus.reserved());
    List<UnknownContainer> judged = new ArrayList<>();
    for (FoundContainer one : found) {
      boolean shares = shared.contains(one.cpus()) && !(one.partition() && cpus.managed());
      CpuSet held = shares ? CpuSet.EMPTY : one.cpus().intersection(cpus.all()).difference(taken);
      taken = taken.union(held);
      judged.add(new UnknownContainer(holder(one, isPod), one, shares, held));
    }
    return judged;
  }

  /** A container beside those that its pod's record names is a holder of its own. */
  private static String holder(FoundContainer one, Predicate<String> isPod) {
    return isPod.test(one.uid()) ? one.uid() + "~" + one.name() : one.uid();
  }

  /** The cpusets by which a container is taken to share. */
  private Set<CpuSet> shared(CpuSet known, CpuSet placed) {
    Set<CpuSet> distinct = new LinkedHashSet<>();
    found.forEach(one -> distinct.add(one.cpus()));
    if (!cpus.managed()) {
      return distinct;
    }
    Set<CpuSet> unconfined =
        distinct.stream()
            .filter(set -> cpus.all().isSubsetOf(set) || set.isSubsetOf(cpus.reserved()))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    Set<CpuSet> narrow = new LinkedHashSet<>(distinct);
    narrow.removeAll(unconfined);
    List<CpuSet> pools = narrow.stream().filter(set -> isPool(set, narrow, known, placed)).toList();
    if (pools.size() == 1) {
      unconfined.add(pools.getFirst());
    } else {
      // An exclusive container is alone on its CPUs, so a cpuset that several have is the pool.
      List<CpuSet> several = pools.stream().filter(this::isOfSeveral).toList();
      unconfined.addAll(several.size() == 1 ? several : List.of());
    }
    return unconfined;
  }

  private boolean isPool(CpuSet set, Set<CpuSet> narrow, CpuSet known, CpuSet placed) {
    CpuSet others = CpuSet.EMPTY;
    for (CpuSet other : narrow) {
      others = other.equals(set) ? others : others.union(other);
    }
    // What is reserved is never exclusive, so the pool has all of it that is not set apart. Where
    // it is set apart, a lone exclusive container on all that is left looks like the pool.
    CpuSet kept = cpus.reserved().intersection(cpus.pool());
    if (kept.isEmpty() ? !isOfSeveral(set) : !kept.isSubsetOf(set)) {
      return false;
    }
    // What is missing belongs to pods that do not run at the moment.
    CpuSet rest = cpus.pool().difference(others).difference(placed);
    return set.isSubsetOf(rest) && rest.difference(set).isSubsetOf(known);
  }

  private boolean isOfSeveral(CpuSet set) {
    return found.stream().filter(one -> one.cpus().equals(set)).count() > 1;
  }

  /** What the holders among them keep, by uid. */
  public static SortedMap<String, Holding> holdings(List<UnknownContainer> unknown) {
    SortedMap<String, Holding> holdings = new TreeMap<>();
    unknown.stream()
        .collect(Collectors.groupingBy(UnknownContainer::holder))
        .forEach((uid, containers) -> {
          Holding holding = UnknownContainer.holding(containers);
          if (!holding.isEmpty()) {
            holdings.put(uid, holding);
          }
        });
    return holdings;
  }
}
