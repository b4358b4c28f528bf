package dev.berth.replay;

import dev.berth.cpu.CpuSet;
import dev.berth.hints.Hint;
import dev.berth.ledger.Explanation;
import dev.berth.ledger.MemoryBlock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What our engine did with a scenario.
 *
 * @param startError why it did not start
 * @param reserved the reserved CPUs
 * @param steps what came of each step
 * @param checkpoint the {@code cpu_manager_state} after the last one
 * @param memoryCheckpoint the {@code memory_manager_state}, where memory is managed
 */
public record Answer(
    Optional<String> startError,
    CpuSet reserved,
    List<StepAnswer> steps,
    String checkpoint,
    Optional<String> memoryCheckpoint) {
  /** Takes a copy. */
  public Answer {
    steps = List.copyOf(steps);
  }

  static Answer didNotStart(String why) {
    return new Answer(Optional.of(why), CpuSet.EMPTY, List.of(), "", Optional.empty());
  }

  /**
   * What came of one step.
   *
   * @param verdict for an admission
   * @param why how the verdict came about
   * @param shared the shared pool afterwards
   * @param broken the rules that were broken afterwards: none, if all is well
   */
  public record StepAnswer(
      Optional<Verdict> verdict, Optional<Explanation> why, CpuSet shared, List<String> broken) {
    /** Takes a copy. */
    public StepAnswer {
      broken = List.copyOf(broken);
    }
  }

  /** What became of a pod. */
  public sealed interface Verdict {
    /**
     * It was let in.
     *
     * @param places where each container was placed
     * @param exclusive the CPUs of those that have some of their own
     * @param budget the CPUs of the pod's own budget; empty where it has none
     * @param memory the memory of each container that has some of its own
     * @param devices by container and resource, how many devices from which place
     */
    record Admitted(
        Map<String, Hint> places,
        Map<String, CpuSet> exclusive,
        CpuSet budget,
        Map<String, List<MemoryBlock>> memory,
        SortedMap<String, SortedMap<String, SortedMap<String, Integer>>> devices)
        implements Verdict {}

    /**
     * It was not.
     *
     * @param reason as Kubernetes names it
     * @param message as Kubernetes words it
     */
    record Refused(String reason, String message) implements Verdict {}
  }
}
