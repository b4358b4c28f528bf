package dev.berth.agent;

import dev.berth.cgroup.Changes;

/** What was counted since the start. On the loop only. */
final class Totals {
  long faults;
  long reconciliations;
  long reconcileWrites;
  long repairs;
  long failedWrites;
  long lastReconcileNanos;

  void reconciled(Changes changes, long nanos) {
    reconciliations++;
    reconcileWrites += changes.writes();
    repairs += changes.repaired();
    failedWrites += changes.failures().size();
    lastReconcileNanos = nanos;
  }
}
