package dev.berth.cgroup;

import dev.berth.cpu.InvalidInputException;

/** How much time on CPUs a group may have in a period. */
public sealed interface Quota {
  /** All the time there is. */
  static Quota unlimited() {
    return new Unlimited();
  }

  /** The period where nobody asks for another, as Kubernetes has it. */
  long USUAL_PERIOD = 100_000;

  /** So many microseconds in each period of 100 ms. */
  static Quota of(long micros) {
    return new Limited(micros, USUAL_PERIOD);
  }

  /** The share of one CPU's time; infinite without a limit. */
  default double share() {
    return switch (this) {
      case Unlimited ignored -> Double.POSITIVE_INFINITY;
      case Limited(long quota, long period) -> (double) quota / period;
    };
  }

  /** All the time there is. */
  record Unlimited() implements Quota {}

  /**
   * At most so much in a period.
   *
   * @param quotaMicros at least 1000, the kernel's least
   * @param periodMicros 1000 to 1000000, the kernel's bounds
   */
  record Limited(long quotaMicros, long periodMicros) implements Quota {
    private static final long LEAST = 1_000;
    private static final long LONGEST_PERIOD = 1_000_000;

    public Limited {
      if (quotaMicros < LEAST || periodMicros < LEAST || periodMicros > LONGEST_PERIOD) {
        throw new InvalidInputException(
            "cgroup quota: expected 1000 microseconds or more in 1000 to 1000000, found "
                + quotaMicros
                + " in "
                + periodMicros);
      }
    }
  }
}
