package dev.berth.cgroup;

import java.util.Optional;

/** One thing to do, in an order that the planner chose. */
sealed interface Step {
  /** The group it is done to. */
  GroupPath group();

  /** Makes a group, where its parent is there already. */
  record Make(GroupPath group, Controller controller) implements Step {}

  /**
   * Gives a group something.
   *
   * @param before what it had, where that is known
   * @param owner whether processes run on it, rather than on a part of it in a group below
   */
  record Write(GroupPath group, Setting value, Optional<Setting> before, boolean owner)
      implements Step {}

  /**
   * Nothing can be done: groups wait for one another's CPUs in a ring with no free CPU to step
   * aside to, and this one is of them or waits for what they have.
   */
  record Refuse(GroupPath group, Setting wanted) implements Step {}
}
