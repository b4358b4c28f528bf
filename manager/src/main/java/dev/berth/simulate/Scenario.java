package dev.berth.simulate;

import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Configuration;
import dev.berth.topology.Machine;

/**
 * A workload on a machine under a configuration.
 *
 * @param title what people call it
 * @param machine where
 * @param settings how to decide, and which devices there are
 * @param workload who comes when
 */
public record Scenario(String title, Machine machine, NodeSettings settings, Workload workload) {
  /** The same under another configuration. */
  public Scenario with(Configuration configuration) {
    return new Scenario(
        title,
        machine,
        new NodeSettings(configuration, settings.reconcilePeriod(), settings.own()),
        workload);
  }
}
