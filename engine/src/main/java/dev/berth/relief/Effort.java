package dev.berth.relief;

/**
 * How much a search may cost before it ends without an answer. Counted, not timed, so that the same
 * question always has the same answer.
 *
 * @param admissions how many pods may be tried
 * @param subsets how many sets of pods may be looked at
 */
public record Effort(int admissions, int subsets) {
  /** Below a second on machines of today. */
  public static final Effort DEFAULT = new Effort(20_000, 2_000_000);

  /** Refuses what would find nothing. */
  public Effort {
    if (admissions < 1 || subsets < 1) {
      throw new IllegalArgumentException("effort: expected at least 1 of each");
    }
  }
}
