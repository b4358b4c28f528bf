package dev.berth.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether a CPU of one's own has a tail that is so many times shorter than on shared ones.
 *
 * <p>Runs come in kinds, with the host or without: the median of their ratios may lie in the gap
 * between two kinds, where no run was. So the tail of all requests together has to be shorter, too.
 *
 * @param ofRatios the median of the runs' ratios
 * @param ofMedians the ratio of the runs' medians
 * @param pooled the ratio of the tails of all runs' requests together
 * @param reachedRuns how many runs reached it
 * @param runs how many there were
 */
record LatencyVerdict(
    double ofRatios, double ofMedians, double pooled, long reachedRuns, int runs) {
  static final double LEAST_RATIO = 5;

  boolean isReached() {
    return ofRatios >= LEAST_RATIO && pooled >= LEAST_RATIO;
  }

  String words() {
    return String.format(
        Locale.ROOT,
        "At p99.9, shared over own: %s × is the median of the runs' ratios, %s × the ratio of the"
            + " medians, %s × the ratio of the tails of all runs' requests together; %d of %d runs"
            + " reached 5 ×.\n\nAsked: 5 × at p99.9, both by the median of the ratios and of all"
            + " requests together: %s.",
        Words.times(ofRatios),
        Words.times(ofMedians),
        Words.times(pooled),
        reachedRuns,
        runs,
        isReached() ? "reached" : "**missed** by " + missed());
  }

  private String missed() {
    List<String> missed = new ArrayList<>();
    if (ofRatios < LEAST_RATIO) {
      missed.add("the median of the ratios (" + Words.times(ofRatios) + " ×)");
    }
    if (pooled < LEAST_RATIO) {
      missed.add("all requests together (" + Words.times(pooled) + " ×)");
    }
    return String.join(" and by ", missed);
  }
}
