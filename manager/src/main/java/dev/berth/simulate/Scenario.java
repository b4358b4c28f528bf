package dev.berth.simulate;

import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.HintProviderFactory;
import dev.berth.topology.Machine;
import java.util.List;

/**
 * A workload on a machine under a configuration.
 *
 * @param title what people call it
 * @param machine where
 * @param settings how to decide, and which devices there are
 * @param workload who comes when
 * @param providers which providers from outside take part
 */
public record Scenario(
    String title,
    Machine machine,
    NodeSettings settings,
    Workload workload,
    List<HintProviderFactory> providers) {
  /** Takes a copy. */
  public Scenario {
    providers = List.copyOf(providers);
  }

  /** One without providers from outside. */
  public Scenario(String title, Machine machine, NodeSettings settings, Workload workload) {
    this(title, machine, settings, workload, List.of());
  }

  /** The same under another configuration. */
  public Scenario with(Configuration configuration) {
    return new Scenario(
        title,
        machine,
        new NodeSettings(configuration, settings.reconcilePeriod(), settings.own()),
        workload,
        providers);
  }
}
