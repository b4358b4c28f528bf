package dev.berth.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How many times as long the tail on shared CPUs is as on a CPU of one's own, by several figures.
 *
 * <p>Runs come in kinds, with the host or without: the median of their ratios may lie in the gap
 * between two kinds, where no run was. So the tail of all runs' requests together has to be
 * shorter, too.
 *
 * @param ofRatios the median of the runs' ratios
 * @param ofMedians the ratio of the runs' medians
 * @param pooled the ratio of the tails of all runs' requests together
 * @param reachedRuns how many runs reached what is asked
 * @param runs how many there were
 */
record TailRatios(double ofRatios, double ofMedians, double pooled, long reachedRuns, int runs) {
  static final double ASKED = 5;

  /** So many have to be there for a verdict: one run in luck is none. */
  private static final int RUNS = 10;

  boolean isTold() {
    return runs >= RUNS;
  }

  /** Why there is no verdict. */
  String untold() {
    return runs + " of " + RUNS + " runs";
  }

  boolean isReached() {
    return ofRatios >= ASKED && pooled >= ASKED;
  }

  String words() {
    return String.format(
        Locale.ROOT,
        "%s × is the median of the runs' ratios, %s × the ratio of the medians, %s × the ratio of"
            + " the tails of all runs' requests together; %d of %d runs reached 5 ×",
        Words.times(ofRatios),
        Words.times(ofMedians),
        Words.times(pooled),
        reachedRuns,
        runs);
  }

  /** By which of the two it is missed. */
  String missed() {
    List<String> missed = new ArrayList<>();
    if (ofRatios < ASKED) {
      missed.add("the median of the ratios (" + Words.times(ofRatios) + " ×)");
    }
    if (pooled < ASKED) {
      missed.add("all runs together (" + Words.times(pooled) + " ×)");
    }
    return String.join(" and by ", missed);
  }
}
