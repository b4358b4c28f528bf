package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.hints.Merged;
import dev.berth.hints.Offer;
import java.util.Map;

/** Tells a trace what was offered and what it merged to, where somebody wants to know. */
final class TopologyExplainer {
  private final Trace trace;

  TopologyExplainer(Trace trace) {
    this.trace = trace;
  }

  void offered(String who, Map<String, Offer> offers) {
    if (trace.on()) {
      offers.forEach(
          (resource, offer) -> trace.add(new Step.Noted(resource + " for " + who + ": " + offer)));
    }
  }

  void merged(String who, Merged merged) {
    if (trace.on()) {
      trace.add(
          new Step.Noted(
              who
                  + " goes to NUMA nodes "
                  + merged.affinity()
                  + (merged.preferred() ? ", as good as it gets" : ", though not preferred")
                  + (merged.admitted() ? "" : ": refused")));
    }
  }
}
