package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.hints.Affinity;
import dev.berth.hints.Merged;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.OfferReport;
import dev.berth.hints.ResourceOffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tells a trace what was offered and what it merged to, where somebody wants to know. */
final class TopologyExplainer {
  private final Trace trace;
  private final Nodes nodes;
  private List<ResourceOffer> offers = List.of();

  TopologyExplainer(Trace trace, Nodes nodes) {
    this.trace = trace;
    this.nodes = nodes;
  }

  void offered(Map<String, Offer> byResource) {
    if (trace.on()) {
      offers = new ArrayList<>(offers);
      byResource.forEach((resource, offer) -> offers.add(new ResourceOffer(resource, offer)));
    }
  }

  void merged(String who, Merged merged) {
    if (!trace.on()) {
      return;
    }
    trace.add(new Step.Asked(who + ": where its resources meet"));
    OfferReport report = OfferReport.of(nodes, offers);
    report.parts().forEach(part -> trace.add(offered(part)));
    report.clashLines().forEach(line -> trace.add(new Step.Noted(line)));
    offers = List.of();
    trace.add(new Step.Noted(outcome(merged)));
  }

  private static Step offered(OfferReport.Part part) {
    boolean preferred = part.said() == OfferReport.Said.ANYTHING || part.preferred().isPresent();
    return new Step.Offered(part.resource(), part.alone(), preferred, part.line());
  }

  private static String outcome(Merged merged) {
    String place =
        switch (merged.affinity()) {
          case Affinity.Any any -> "any NUMA node";
          case Affinity.To(var set) -> (set.size() == 1 ? "NUMA node " : "NUMA nodes ") + set;
        };
    String word = merged.preferred() ? "as good as it gets" : "not the best for every resource";
    String cut = merged.bounded() ? "; the search was cut short, a better place may exist" : "";
    return place + ", " + word + (merged.admitted() ? "" : ": the policy refuses that") + cut;
  }
}
