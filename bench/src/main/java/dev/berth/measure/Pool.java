package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import dev.berth.demo.Latencies;
import dev.berth.demo.Mark;
import dev.berth.demo.Phase;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The requests of all runs of {@code berth demo} in one histogram a phase. */
final class Pool {
  private final Which which;
  private final List<JsonNode> runs;

  Pool(Which which, List<JsonNode> runs) {
    this.which = which;
    this.runs = runs;
  }

  /** How many times as late the one was as the other; less than a nanosecond counts as one. */
  double ratio(Phase over, Phase under, Mark mark) {
    return (double) Math.max(1, mark.of(of(over))) / Math.max(1, mark.of(of(under)));
  }

  Latencies of(Phase phase) {
    Latencies all = new Latencies();
    for (JsonNode run : runs) {
      all.add(of(which.of(run, phase)));
    }
    return all;
  }

  private static Latencies of(JsonNode reading) {
    List<Latencies.Bucket> buckets = new ArrayList<>();
    for (JsonNode bucket : reading.path("histogram")) {
      buckets.add(new Latencies.Bucket(bucket.path(0).asLong(), bucket.path(1).asLong()));
    }
    if (buckets.isEmpty()) {
      throw new InvalidInputException("histogram: expected what berth demo tells, found none");
    }
    return Latencies.of(buckets);
  }
}
