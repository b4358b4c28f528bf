package dev.berth.hints;

/**
 * How long the searches of one merge may go on.
 *
 * <p>Counted in steps, not in time, so that an answer never depends on how busy the machine is.
 */
final class Budget {
  /** Some 20 ms on a slow core; what ordinary machines need is a few hundred. */
  static final int STEPS = 50_000;

  private int left;

  Budget() {
    this(STEPS);
  }

  Budget(int steps) {
    left = steps;
  }

  /** Takes a step; false from the moment that none is left. */
  boolean step() {
    if (left > 0) {
      left--;
    }
    return left > 0;
  }

  boolean isExhausted() {
    return left == 0;
  }
}
