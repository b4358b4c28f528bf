package dev.berth.allocation;

/**
 * A rule of packing: takes what it can from a choice in progress and leaves the rest to the next.
 */
@FunctionalInterface
interface Rule {
  /** Takes CPUs; never more than are needed, never one that is not free. */
  void take(Workspace work);
}
