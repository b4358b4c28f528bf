package dev.berth.replay;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.berth.testing.SharedData;
import dev.berth.topology.Distances;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What Kubernetes answered to single merges. */
class MergeCasesTest {
  private static final JsonMapper JSON = new JsonMapper();

  @Test
  void agreesWithEveryRecordedMerge() throws IOException {
    int cases = 0;
    var file = SharedData.path("conformance/merge.jsonl.gz");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode given = JSON.readTree(line);
        assertThat(answer(given)).as(given.get("id").stringValue()).isEqualTo(expected(given));
        cases++;
      }
    }
    assertThat(cases).isEqualTo(3_000);
  }

  private static Merged expected(JsonNode given) {
    JsonNode expect = given.get("expect");
    return new Merged(
        affinity(expect.get("numa")),
        expect.get("preferred").booleanValue(),
        expect.get("admit").booleanValue(),
        false);
  }

  private static Merged answer(JsonNode given) {
    int[] ids = ints(given.get("numaNodes"));
    int[][] rows = new int[ids.length][ids.length];
    for (int i = 0; i < ids.length; i++) {
      for (int j = 0; j < ids.length; j++) {
        rows[i][j] = given.get("distances").get(i).get(ids[j]).intValue();
      }
    }
    Nodes nodes = Nodes.of(NodeSet.of(ids), Distances.of(ids, rows));
    return policy(given).merge(nodes, offers(nodes, given.get("providers")));
  }

  private static TopologyPolicy policy(JsonNode given) {
    boolean closest = given.path("preferClosest").booleanValue(false);
    TieBreak tieBreak = closest ? TieBreak.CLOSEST : TieBreak.LOWEST;
    String name = given.get("policy").stringValue();
    return switch (name) {
      case "best-effort" -> new BestEffort(tieBreak);
      case "restricted" -> new Restricted(tieBreak);
      case "single-numa-node" -> new SingleNumaNode();
      default -> throw new IllegalArgumentException("policy " + name);
    };
  }

  private static List<Offer> offers(Nodes nodes, JsonNode providers) {
    List<Offer> offers = new ArrayList<>();
    for (JsonNode provider : providers) {
      if (provider.isNull() || provider.isEmpty()) {
        offers.add(Offer.ANYTHING);
      }
      for (JsonNode hints : provider) {
        offers.add(hints.isNull() ? Offer.ANYTHING : Offer.listed(nodes, hints(hints)));
      }
    }
    return offers;
  }

  private static List<Hint> hints(JsonNode list) {
    List<Hint> hints = new ArrayList<>();
    for (JsonNode hint : list) {
      hints.add(new Hint(affinity(hint.get("numa")), hint.get("preferred").booleanValue()));
    }
    return hints;
  }

  private static Affinity affinity(JsonNode numa) {
    return numa.isNull() ? Affinity.ANY : Affinity.to(NodeSet.of(ints(numa)));
  }

  private static int[] ints(JsonNode array) {
    int[] values = new int[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).intValue();
    }
    return values;
  }
}
