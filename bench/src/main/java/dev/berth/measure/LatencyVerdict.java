package dev.berth.measure;

import java.util.Locale;
import java.util.Optional;

/**
 * Whether a CPU of one's own has a tail that is so many times shorter than on shared ones.
 *
 * <p>Who decides is known before any latency is looked at: where the host took as much of these
 * CPUs as p99.9 leaves out, it is the tail of all requests on both sides, whatever was shared, and
 * the calm requests decide; else all do. The figures of all are told in any case.
 *
 * @param all by all requests
 * @param calm by those of calm moments; empty where too few were
 * @param ownTaken the share that the host took of the CPU that was its own, over all runs
 * @param sharedTaken the same of the shared ones
 */
record LatencyVerdict(
    TailRatios all, Optional<TailRatios> calm, double ownTaken, double sharedTaken) {
  /** As much as p99.9 leaves out; who loses more has lost the figure. */
  private static final double MUCH = 0.001;

  /** Stands in the words where there are too few runs for a verdict. */
  static final String NOT_TOLD = "**not told**";

  /** Stands in the words where the calm requests decide and all of them together would not do. */
  static final String ALL_MISSED = "By all requests: missed";

  boolean isByCalm() {
    return ownTaken > MUCH || sharedTaken > MUCH;
  }

  String words() {
    StringBuilder text = new StringBuilder("At p99.9, shared over own, of all requests: ");
    text.append(all.words()).append('.');
    calm.ifPresent(ratios -> text.append(" Of calm requests: ").append(ratios.words()).append('.'));
    text.append(
        String.format(
            Locale.ROOT,
            "\n\n"
                + "Asked: 5 × at p99.9 of ten runs, both by the median of the runs' ratios and of"
                + " all runs together. The host took %.2f %% of the CPU that was to be its own and"
                + " %.2f %% of the shared ones, ",
            100 * ownTaken,
            100 * sharedTaken));
    return text.append(isByCalm() ? byCalm() : byAll()).toString();
  }

  private String byAll() {
    return "no more than the 0.1 % that p99.9 leaves out, so all requests decide: "
        + (all.isTold() ? verdict(all) : untold())
        + ".";
  }

  private String byCalm() {
    String what = ownTaken > MUCH && sharedTaken > MUCH ? "both" : "one of which is";
    return what
        + " more than the 0.1 % that p99.9 leaves out: of all requests p99.9 tells of the host, and"
        + " the calm ones decide"
        + (all.isTold() ? calmWords() : ": " + untold())
        + ".";
  }

  private String calmWords() {
    // In plain letters: those in bold are the verdict.
    String ofAll =
        all.isReached() ? "By all requests: reached" : ALL_MISSED + " by " + all.missed();
    return ". "
        + ofAll
        + ". By the calm ones: "
        + calm.map(LatencyVerdict::verdict).orElse("**missed**, for too few were calm to tell");
  }

  /** A run without calm requests is a run nevertheless, so that all of them are counted. */
  private String untold() {
    return NOT_TOLD + ": " + all.untold();
  }

  private static String verdict(TailRatios ratios) {
    return ratios.isReached() ? "reached" : "**missed** by " + ratios.missed();
  }
}
