package dev.berth.simulate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * The same workload on the same machine under every configuration that makes sense.
 *
 * <p>The best is the one under which the most pods have CPUs of their own that lie as compactly as
 * on an empty machine: one that is refused counts as much as one that lies badly. Where that is the
 * same, one that gives pods CPUs of their own goes before one that gives nobody any: who gives none
 * need not refuse anybody either. Then fewer refusals win, then less fragmentation by NUMA node (to
 * a thousandth), then the given configuration, then the one that comes first, which is the simpler
 * one.
 *
 * @param runs in the order of the candidates, the given one first
 * @param leftOut what was not tried and why, a line each
 */
public record Comparison(List<Run> runs, List<String> leftOut) {
  // By hand: the JVM's cache holds none of the JDK's comparators that are put together.
  private static final Comparator<Run> BEST_FIRST =
      (one, other) -> compare(one.figures(), other.figures());

  private static int compare(Figures one, Figures other) {
    int order = Integer.compare(other.compact(), one.compact());
    if (order == 0) {
      order = Boolean.compare(one.exclusive() == 0, other.exclusive() == 0);
    }
    if (order == 0) {
      order = Integer.compare(one.refusedInAll(), other.refusedInAll());
    }
    return order == 0
        ? Long.compare(thousandths(one.nodeFragmentation()), thousandths(other.nodeFragmentation()))
        : order;
  }

  private static long thousandths(Figures.Course fragmentation) {
    return Math.round(1000 * fragmentation.mean());
  }

  /** Takes copies. */
  public Comparison {
    runs = List.copyOf(runs);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * One configuration, and what it came to.
   *
   * @param candidate the configuration
   * @param figures what it came to
   * @param took how long the simulation took, for people only
   */
  public record Run(Candidate candidate, Figures figures, Duration took) {}

  /**
   * Runs them all, a thread a processor.
   *
   * @param scenario its configuration is the given one
   * @param progress hears on the caller's thread what part is done, in percent: of those in order,
   *     so that one that takes long holds back the news of those after it
   */
  public static Comparison of(Scenario scenario, IntConsumer progress) {
    Candidates.Chosen chosen =
        Candidates.of(scenario.settings().configuration(), scenario.machine(), scenario.workload());
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().name("berth-simulate-", 0).daemon().factory())) {
      List<Future<Run>> futures = new ArrayList<>();
      for (Candidate candidate : chosen.list()) {
        futures.add(threads.submit(() -> run(scenario, candidate)));
      }
      List<Run> runs = new ArrayList<>();
      for (Future<Run> future : futures) {
        runs.add(finished(future));
        progress.accept(100 * runs.size() / futures.size());
      }
      return new Comparison(runs, chosen.leftOut());
    }
  }

  private static Run finished(Future<Run> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while configurations were compared", e);
    }
  }

  private static Run run(Scenario scenario, Candidate candidate) {
    long began = System.nanoTime();
    Figures figures = Simulation.of(scenario.with(candidate.configuration())).run(0, step -> {});
    return new Run(candidate, figures, Duration.ofNanos(System.nanoTime() - began));
  }

  /** The given configuration. */
  public Run given() {
    return runs.getFirst();
  }

  /** The best, by the rule above. */
  public Run best() {
    return runs.stream().min(BEST_FIRST).orElseThrow();
  }

  /** Why it is the best, in sentences for a person. */
  public List<String> why() {
    return new Recommendation(this).lines();
  }
}
