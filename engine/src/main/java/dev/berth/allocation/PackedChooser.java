package dev.berth.allocation;

import dev.berth.cpu.CpuSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Packs: whole large places first, then smaller ones, then single CPUs; always from where the
 * fewest are left, so that what stays free stays whole.
 */
final class PackedChooser implements Chooser {
  private final Workspace work;
  private final Rule[] rules;

  private PackedChooser(Layout layout, List<Rule> rules) {
    work = new Workspace(layout);
    this.rules = rules.toArray(Rule[]::new);
  }

  /** Sockets and nodes, cores, CPUs. */
  static PackedChooser plain(Layout layout) {
    return of(layout, List.of(new WholeCores(), new SingleCpus()));
  }

  /** Sockets and nodes, then caches by the given rule, cores, CPUs. */
  static PackedChooser withCaches(Layout layout, Rule caches) {
    return of(layout, List.of(caches, new WholeCores(), new SingleCpus()));
  }

  /** Sockets and nodes, then CPUs by number across cores. */
  static PackedChooser acrossCores(Layout layout) {
    return of(layout, List.of(new SpreadCpus()));
  }

  private static PackedChooser of(Layout layout, List<Rule> small) {
    List<Rule> rules = new ArrayList<>();
    rules.add(WholePlaces.outer(layout));
    rules.add(WholePlaces.inner(layout));
    rules.addAll(small);
    return new PackedChooser(layout, rules);
  }

  @Override
  public CpuSet choose(CpuSet available, int count, Trace trace) {
    if (count == 0) {
      return CpuSet.EMPTY;
    }
    work.begin(available, count, trace);
    for (Rule rule : rules) {
      rule.take(work);
      if (work.isSatisfied()) {
        return work.result();
      }
    }
    throw new IllegalStateException(
        "asked for " + count + " of " + available.size() + " CPUs, " + work.needed() + " missing");
  }
}
