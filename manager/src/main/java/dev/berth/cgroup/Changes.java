package dev.berth.cgroup;

import java.util.List;

/**
 * What was done to groups.
 *
 * @param made how many groups were made, counted once in each hierarchy
 * @param writes how many times a file was written
 * @param repaired how many settings somebody else had changed, which were written again
 * @param failures what could not be done, in the order it was tried
 */
public record Changes(int made, int writes, int repaired, List<Failure> failures) {
  /** Nothing. */
  public static final Changes NONE = new Changes(0, 0, 0, List.of());

  public Changes {
    failures = List.copyOf(failures);
  }

  /** The same with other settings that somebody else had changed and that were written again. */
  public Changes withRepaired(int others) {
    return new Changes(made, writes + others, repaired + others, failures);
  }

  /** Whether everything is as it was wanted. */
  public boolean succeeded() {
    return failures.isEmpty();
  }
}
