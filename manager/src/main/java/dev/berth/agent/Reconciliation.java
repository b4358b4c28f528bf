package dev.berth.agent;

import dev.berth.cgroup.Changes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Looks at everything again and again, and repairs what is not as it should be. On the loop. */
final class Reconciliation {
  /**
   * How it goes.
   *
   * @param passes how many there were
   * @param lastNanos how long the last one took
   * @param writes how much all of them changed
   */
  record Progress(long passes, long lastNanos, long writes) {}

  private final Loop loop;
  private final Adaptation adaptation;
  private final Household household;
  private final Events events;
  private final Metrics metrics;
  private final Supplier<Duration> period;
  private Progress progress = new Progress(0, 0, 0);
  private Optional<Future<?>> next = Optional.empty();

  Reconciliation(
      Loop loop,
      Adaptation adaptation,
      Household household,
      Events events,
      Metrics metrics,
      Supplier<Duration> period) {
    this.loop = loop;
    this.adaptation = adaptation;
    this.household = household;
    this.events = events;
    this.metrics = metrics;
    this.period = period;
  }

  Progress progress() {
    return progress;
  }

  private void pass() {
    try {
      long began = System.nanoTime();
      adaptation.keepUpWithMachine();
      household.look();
      household.survey();
      adaptation.holdUnknown();
      Changes changes = household.reconcile();
      long time = System.nanoTime() - began;
      metrics.reconciled(time);
      progress = new Progress(progress.passes() + 1, time, progress.writes() + changes.writes());
      if (changes.repaired() > 0) {
        events.add("repaired", "", changes.repaired() + " settings that others had changed");
      }
    } finally {
      later();
    }
  }

  /** Once after the period, whatever was planned before. */
  void later() {
    next.ifPresent(planned -> planned.cancel(false));
    next = Optional.of(loop.schedule(this::pass, period.get().toMillis()));
  }
}
