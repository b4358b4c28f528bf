package dev.berth.replay;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.BestEffort;
import dev.berth.hints.Hint;
import dev.berth.hints.Merged;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Restricted;
import dev.berth.hints.SingleNumaNode;
import dev.berth.hints.TieBreak;
import dev.berth.hints.TopologyPolicy;
import dev.berth.topology.Distances;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One call of a topology policy's merge.
 *
 * @param id its name
 * @param policy the policy
 * @param nodes the NUMA nodes, with their distances
 * @param offers what the providers offer, one a resource
 * @param recorded the case as it was read, expectation included
 */
public record MergeCase(
    String id, TopologyPolicy policy, Nodes nodes, List<Offer> offers, ObjectNode recorded)
    implements RecordedCase {
  /** Takes a copy. */
  public MergeCase {
    offers = List.copyOf(offers);
  }

  /** Whether a line is a case of this kind: only these have providers. */
  static boolean is(ObjectNode recorded) {
    return recorded.has("providers");
  }

  static MergeCase read(String where, ObjectNode recorded) {
    Fields root =
        new Fields(where, recorded)
            .only("id", "numaNodes", "distances", "policy", "preferClosest", "providers", "expect");
    int[] ids = ids(where + ".numaNodes", recorded.path("numaNodes"));
    Nodes nodes =
        ScenarioReader.within(
            where, () -> Nodes.of(NodeSet.of(ids), Distances.of(ids, rows(recorded, ids))));
    List<Offer> offers = new ArrayList<>();
    JsonNode providers = recorded.path("providers");
    for (int i = 0; i < providers.size(); i++) {
      addOffers(offers, where + ".providers[" + i + "]", nodes, providers.get(i));
    }
    return new MergeCase(root.text("id"), policy(root), nodes, offers, recorded);
  }

  private static int[][] rows(ObjectNode recorded, int[] ids) {
    int[][] rows = new int[ids.length][ids.length];
    for (int i = 0; i < ids.length; i++) {
      for (int j = 0; j < ids.length; j++) {
        rows[i][j] = recorded.path("distances").path(i).path(ids[j]).asInt(0);
      }
    }
    return rows;
  }

  private static TopologyPolicy policy(Fields root) {
    TieBreak tieBreak = root.flag("preferClosest") ? TieBreak.CLOSEST : TieBreak.LOWEST;
    String name = root.text("policy");
    return switch (name) {
      case "best-effort" -> new BestEffort(tieBreak);
      case "restricted" -> new Restricted(tieBreak);
      case "single-numa-node" -> new SingleNumaNode();
      default ->
          throw new InvalidInputException(
              root.where()
                  + ".policy: expected best-effort, restricted or single-numa-node, found \""
                  + name
                  + "\"");
    };
  }

  /** A provider without resources, and a resource without a list, have no preference. */
  private static void addOffers(List<Offer> offers, String where, Nodes nodes, JsonNode provider) {
    if (provider.isNull() || provider.isEmpty()) {
      offers.add(Offer.ANYTHING);
      return;
    }
    for (String resource : new Fields(where, provider).raw().propertyNames()) {
      JsonNode list = provider.path(resource);
      if (list.isNull()) {
        offers.add(Offer.ANYTHING);
        continue;
      }
      List<Hint> hints = new ArrayList<>();
      for (Fields hint : new Fields(where, provider).objects(resource)) {
        hints.add(new Hint(affinity(hint), hint.flag("preferred")));
      }
      offers.add(ScenarioReader.within(where, () -> Offer.listed(nodes, hints)));
    }
  }

  private static Affinity affinity(Fields hint) {
    JsonNode numa = hint.raw().path("numa");
    return numa.isNull() || numa.isMissingNode()
        ? Affinity.ANY
        : Affinity.to(NodeSet.of(ids(hint.where() + ".numa", numa)));
  }

  private static int[] ids(String where, JsonNode list) {
    if (!list.isArray() || list.isEmpty()) {
      throw new InvalidInputException(
          where
              + ": expected a list of node ids, found "
              + (list.isMissingNode() ? "nothing" : list));
    }
    int[] ids = new int[list.size()];
    for (int i = 0; i < ids.length; i++) {
      if (!list.get(i).isIntegralNumber() || !list.get(i).canConvertToInt()) {
        throw new InvalidInputException(
            where + "[" + i + "]: expected a node id, found " + list.get(i));
      }
      ids[i] = list.get(i).intValue();
    }
    return ids;
  }

  /** Our answer in the form of {@code expect}. */
  ObjectNode answer() {
    Merged merged = policy.merge(nodes, offers);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    switch (merged.affinity()) {
      case Affinity.Any any -> json.putNull("numa");
      case Affinity.To(var set) -> {
        ArrayNode list = json.putArray("numa");
        set.forEach(list::add);
      }
    }
    return json.put("preferred", merged.preferred()).put("admit", merged.admitted());
  }

  /** How our answer differs from the recorded one, a line each. */
  List<String> differences() {
    JsonNode expected = recorded.path("expect");
    ObjectNode ours = answer();
    List<String> lines = new ArrayList<>();
    for (String field : List.of("numa", "preferred", "admit")) {
      if (!expected.path(field).equals(ours.path(field))) {
        lines.add(field + ": expected " + expected.path(field) + ", found " + ours.path(field));
      }
    }
    return lines;
  }
}
