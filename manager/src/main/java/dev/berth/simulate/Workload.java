package dev.berth.simulate;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Holding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who comes to a machine, when, and for how long.
 *
 * @param visitors each pod once
 * @param start what those have who are there from the start, by position
 * @param visits who comes when; in the order of arrival, and at the same time in the order given
 * @param elsewhere resources of which pods had devices that no configuration lists: a plugin's
 */
public record Workload(
    List<Visitor> visitors,
    SortedMap<Integer, Holding> start,
    List<Visit> visits,
    Set<String> elsewhere) {
  /** Nobody. */
  public static final Workload NOBODY =
      new Workload(List.of(), Collections.emptySortedMap(), List.of(), Set.of());

  /** Takes copies, puts visits in order, and refuses two pods with the same uid. */
  public Workload {
    visitors = List.copyOf(visitors);
    elsewhere = Set.copyOf(elsewhere);
    start = Collections.unmodifiableSortedMap(new TreeMap<>(start));
    visits =
        visits.stream()
            .sorted((one, other) -> Long.compare(one.arrives(), other.arrives()))
            .toList();
    Set<String> uids = HashSet.newHashSet(visitors.size());
    for (Visitor visitor : visitors) {
      if (!uids.add(visitor.pod().uid())) {
        throw new InvalidInputException(
            "workload: expected every pod once, found "
                + visitor.told().namespace()
                + "/"
                + visitor.told().name()
                + " (uid "
                + visitor.pod().uid()
                + ") again");
      }
    }
  }

  /** Both at once: the other's pods come after ours where they come at the same time. */
  public Workload with(Workload other) {
    int shift = visitors.size();
    List<Visitor> everybody = new ArrayList<>(visitors);
    everybody.addAll(other.visitors);
    SortedMap<Integer, Holding> there = new TreeMap<>(start);
    other.start.forEach((visitor, held) -> there.put(visitor + shift, held));
    List<Visit> all = new ArrayList<>(visits);
    for (Visit visit : other.visits) {
      all.add(new Visit(visit.visitor() + shift, visit.arrives(), visit.leaves()));
    }
    Set<String> devices = new HashSet<>(elsewhere);
    devices.addAll(other.elsewhere);
    return new Workload(everybody, there, all, devices);
  }

  /**
   * The same up to a moment: who would come later does not come, who would leave later stays.
   *
   * @param moment in milliseconds; what happens then still happens
   */
  public Workload until(long moment) {
    List<Visit> seen =
        visits.stream()
            .filter(visit -> visit.arrives() <= moment)
            .map(visit ->
                visit.leaves() <= moment
                    ? visit
                    : new Visit(visit.visitor(), visit.arrives(), Visit.NEVER))
            .toList();
    return new Workload(visitors, start, seen, elsewhere);
  }

  /** When the last thing happens, in milliseconds. */
  public long lasts() {
    long last = 0;
    for (Visit visit : visits) {
      last = Math.max(last, visit.leaves() == Visit.NEVER ? visit.arrives() : visit.leaves());
    }
    return last;
  }
}
