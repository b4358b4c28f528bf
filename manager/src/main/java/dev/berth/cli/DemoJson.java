package dev.berth.cli;

import dev.berth.demo.Latencies;
import dev.berth.demo.Mark;
import dev.berth.demo.Outcome;
import dev.berth.demo.Phase;
import dev.berth.demo.Probe;
import dev.berth.demo.Reading;
import dev.berth.workload.CpuWish;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a demonstration came to, as JSON; times are nanoseconds. */
final class DemoJson {
  private DemoJson() {}

  static ObjectNode of(DemoSetting setting, Outcome outcome, String caution) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("cpus", setting.cpus())
        .put("seconds", setting.seconds())
        .put("slices", setting.pairs())
        .put("periodNanos", Probe.PERIOD_NANOS)
        .put("caution", caution);
    for (CpuWish wish : CpuWish.values()) {
      json.put(wish.word(), outcome.of(Phase.EXCLUSIVE).kept().contains(wish));
    }
    ObjectNode phases = json.putObject("phases");
    for (Phase phase : Phase.values()) {
      reading(phases.putObject(phase.word()), outcome.of(phase));
    }
    ObjectNode ratios = json.putObject("ratios");
    ratios(ratios.putObject("sharedOverExclusive"), outcome, Phase.SHARED, Phase.EXCLUSIVE);
    ratios(ratios.putObject("exclusiveOverIdle"), outcome, Phase.EXCLUSIVE, Phase.IDLE);
    return json;
  }

  private static void reading(ObjectNode json, Reading reading) {
    json.put("cpus", reading.cpus().toString())
        .put("seconds", reading.seconds())
        .put("stolen", reading.stolen())
        .put("others", reading.others())
        .put("requests", reading.latencies().count());
    for (Mark mark : Mark.values()) {
      json.put(mark.word(), mark.of(reading.latencies()));
    }
    ArrayNode histogram = json.putArray("histogram");
    for (Latencies.Bucket bucket : reading.latencies().buckets()) {
      histogram.addArray().add(bucket.most()).add(bucket.count());
    }
  }

  private static void ratios(ObjectNode json, Outcome outcome, Phase over, Phase under) {
    for (Mark mark : Mark.values()) {
      json.put(mark.word(), Math.round(outcome.ratio(over, under, mark) * 100) / 100.0);
    }
  }
}
