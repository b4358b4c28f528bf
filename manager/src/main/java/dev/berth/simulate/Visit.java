package dev.berth.simulate;

import dev.berth.cpu.InvalidInputException;

/**
 * When a pod comes and leaves, in milliseconds since the beginning.
 *
 * @param visitor who, by position in the workload
 * @param arrives when it comes; {@link #BEFORE} for one that is there from the start
 * @param leaves when it leaves; {@link #NEVER} for one that stays
 */
public record Visit(int visitor, long arrives, long leaves) {
  /** Before the first step. */
  public static final long BEFORE = -1;

  /** After the last step. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Refuses one that leaves before it came. */
  public Visit {
    if (arrives < BEFORE || leaves <= arrives) {
      throw new InvalidInputException(
          "visit: expected to leave after "
              + arrives
              + " ms, when it arrives, found "
              + leaves
              + " ms");
    }
  }
}
