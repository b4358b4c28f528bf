package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.IdSet;
import dev.berth.cpu.NodeSet;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * What is to be known of a kind of set in order to plan for it.
 *
 * @param of the set of a group
 * @param setting a set as what is written
 * @param single the set of one id
 * @param empty the set of none
 * @param exclusive whether an id must have left its old owner before a new one gets it
 */
record SetKind<S extends IdSet<S>>(
    Function<Settings, Optional<S>> of,
    Function<S, Setting> setting,
    IntFunction<S> single,
    S empty,
    boolean exclusive) {
  static final SetKind<CpuSet> CPUS =
      new SetKind<>(Settings::cpus, Setting.Cpus::new, CpuSet::of, CpuSet.EMPTY, true);

  /** Memory of a node can have several users at any time. */
  static final SetKind<NodeSet> MEMS =
      new SetKind<>(Settings::mems, Setting.Mems::new, NodeSet::of, NodeSet.EMPTY, false);
}
