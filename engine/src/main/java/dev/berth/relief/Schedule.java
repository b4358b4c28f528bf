package dev.berth.relief;

import dev.berth.cpu.CpuSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Puts moves into an order in which a running machine can take them: whoever moves comes to CPUs
 * that nobody has at that moment. Where all wait for each other, the one with the fewest CPUs is
 * stopped.
 */
final class Schedule {
  private final List<Move> moves;
  private final Set<Move> waiting = new LinkedHashSet<>();
  private final List<Act> acts = new ArrayList<>();
  private CpuSet taken;

  private Schedule(List<Move> moves, CpuSet taken) {
    this.moves = moves;
    this.taken = taken;
  }

  /**
   * What is to be done.
   *
   * @param admit the refused pod's part
   * @param before how many of the moves are done with before it
   * @param taken all CPUs that somebody has alone, those who move included
   */
  static List<Act> of(Act.Admit admit, int before, List<Move> moves, CpuSet taken) {
    Schedule schedule = new Schedule(moves, taken);
    List<Move> stopped = schedule.shift();
    schedule.restart(stopped, moves.subList(0, before));
    schedule.acts.add(admit);
    schedule.restart(stopped, moves.subList(before, moves.size()));
    return schedule.acts;
  }

  private void restart(List<Move> stopped, List<Move> some) {
    some.stream().filter(stopped::contains).forEach(move -> acts.add(new Act.Restart(move)));
  }

  /** Moves whom it can, and returns whom it had to stop, in the order of the plan. */
  private List<Move> shift() {
    Set<Move> stopped = new LinkedHashSet<>();
    for (Move move : moves) {
      if (!move.isOnlyCpus()) {
        stop(move, stopped);
      } else if (!move.from().equals(move.to())) {
        waiting.add(move);
      }
    }
    while (!waiting.isEmpty()) {
      waiting.stream()
          .filter(move -> !arriving(move).intersects(taken))
          .findFirst()
          .ifPresentOrElse(
              this::shift,
              () ->
                  stop(
                      waiting.stream()
                          .min(Comparator.comparingInt(move -> move.from().allCpus().size()))
                          .orElseThrow(),
                      stopped));
    }
    return moves.stream().filter(stopped::contains).toList();
  }

  private static CpuSet arriving(Move move) {
    return move.to().allCpus().difference(move.from().allCpus());
  }

  private void shift(Move move) {
    waiting.remove(move);
    taken = taken.difference(move.from().allCpus()).union(move.to().allCpus());
    acts.add(new Act.Shift(move));
  }

  private void stop(Move move, Set<Move> stopped) {
    waiting.remove(move);
    taken = taken.difference(move.from().allCpus());
    stopped.add(move);
    acts.add(new Act.Stop(move));
  }
}
