package dev.berth.hints;

/**
 * How long the searches of one merge may go on.
 *
 * <p>Counted in steps, not in time, so that an answer never depends on how busy the machine is.
 */
final class Budget {
  /** Tens of milliseconds at worst; what ordinary machines need is a few hundred. */
  static final int STEPS = 20_000;

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

  int left() {
    return left;
  }

  boolean isExhausted() {
    return left == 0;
  }
}
