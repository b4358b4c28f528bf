package dev.berth.agent;

import dev.berth.observe.Counter;
import dev.berth.observe.Gauge;
import dev.berth.observe.Registry;

/** What is counted of a runtime whose containers the agent looks after. On the loop only. */
final class RuntimeMetrics {
  private final Gauge connected;
  private final Counter updates;

  RuntimeMetrics(Registry registry) {
    connected = registry.gauge("berth_runtime_connected", "1 where the runtime can be reached.");
    connected.clear();
    updates =
        registry.counter(
            "berth_runtime_updates_total",
            "Containers whose place the runtime was told unasked.",
            "outcome");
  }

  /** Whether the runtime can be reached now. */
  void connected(boolean isConnected) {
    connected.set(isConnected ? 1 : 0);
  }

  /** The runtime was told where containers are to be. */
  void updated(int done, int failed) {
    updates.add(done, "done");
    updates.add(failed, "failed");
  }
}
