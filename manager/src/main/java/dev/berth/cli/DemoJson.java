package dev.berth.cli;

import dev.berth.demo.Latencies;
import dev.berth.demo.Mark;
import dev.berth.demo.Outcome;
import dev.berth.demo.Phase;
import dev.berth.demo.Probe;
import dev.berth.demo.Reading;
import dev.berth.workload.CpuWish;
import java.util.OptionalDouble;
import java.util.function.Function;
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
    ratios(ratios, "sharedOverExclusive", outcome, Phase.SHARED, Phase.EXCLUSIVE);
    ratios(ratios, "exclusiveOverIdle", outcome, Phase.EXCLUSIVE, Phase.IDLE);
    return json;
  }

  private static void reading(ObjectNode json, Reading reading) {
    json.put("cpus", reading.cpus().toString())
        .put("seconds", reading.seconds())
        .put("stolen", reading.stolen())
        .put("others", reading.others());
    latencies(json, reading.latencies(), true);
    boolean isEnough = reading.requests().calmEnough().isPresent();
    latencies(json.putObject("calm"), reading.requests().calm(), isEnough);
  }

  /** All that were counted, and what they come to only where they are enough for that. */
  private static void latencies(ObjectNode json, Latencies latencies, boolean isEnough) {
    json.put("requests", latencies.count());
    if (isEnough) {
      for (Mark mark : Mark.values()) {
        json.put(mark.word(), mark.of(latencies));
      }
    }
    ArrayNode histogram = json.putArray("histogram");
    for (Latencies.Bucket bucket : latencies.buckets()) {
      histogram.addArray().add(bucket.most()).add(bucket.count());
    }
  }

  private static void ratios(
      ObjectNode json, String name, Outcome outcome, Phase over, Phase under) {
    ObjectNode ratios = json.putObject(name);
    ratios(ratios, mark -> OptionalDouble.of(outcome.ratio(over, under, mark)));
    ratios(ratios.putObject("calm"), mark -> outcome.calmRatio(over, under, mark));
  }

  private static void ratios(ObjectNode json, Function<Mark, OptionalDouble> ratio) {
    for (Mark mark : Mark.values()) {
      ratio.apply(mark).ifPresent(times -> json.put(mark.word(), Math.round(times * 100) / 100.0));
    }
  }
}
