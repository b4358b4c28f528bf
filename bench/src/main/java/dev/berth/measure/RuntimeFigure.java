package dev.berth.measure;

import dev.berth.measure.Tail.Mark;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What {@code bench/runtimes} measures, by the name it has there.
 *
 * @param words what it is, for the report
 * @param asked nothing where it is only told for comparison
 */
record RuntimeFigure(String name, String words, Unit unit, Optional<Asked> asked) {
  /** In what it is measured. */
  enum Unit {
    NANOSECONDS,
    KILOBYTES;

    String words(double figure) {
      return switch (this) {
        case NANOSECONDS -> Words.time(figure);
        case KILOBYTES -> String.format(Locale.ROOT, "%,.0f kB", figure);
      };
    }
  }

  /**
   * What is asked.
   *
   * @param mark of what
   * @param most in the figure's unit
   */
  record Asked(Mark mark, double most) {
    boolean isReached(Tail tail) {
      return tail.at(mark) <= most;
    }
  }

  private static final double MILLISECOND = 1e6;
  private static final double SECOND = 1e9;

  /** All of them, in the order of the report. */
  static final List<RuntimeFigure> ALL =
      List.of(
          time("nri/answer", "answer to `CreateContainer` by NRI", Mark.P99, 5 * MILLISECOND),
          told("nri/with", "a creation by containerd, with Berth"),
          told("nri/without", "the same without"),
          time("nri/added", "added to it, pair by pair", Mark.MEDIAN, MILLISECOND),
          time("agent/pass", "quiet pass over 200 containers", Mark.MEDIAN, 20 * MILLISECOND),
          time(
              "agent/admission",
              "exclusive admission at 50 a second, at the client",
              Mark.P99,
              20 * MILLISECOND),
          memory("agent/resident", "`berth agent`, resident after a minute of them", 130_000),
          time(
              "cri/events",
              "on its CPUs after its first instruction, by CRI with events",
              Mark.MEDIAN,
              2 * SECOND),
          told("cri/events/returned", "the same after `StartContainer` returned"),
          time(
              "cri/listing",
              "on its CPUs after its first instruction, by CRI without events",
              Mark.MEDIAN,
              2 * SECOND),
          told("cri/listing/returned", "the same after `StartContainer` returned"),
          time("return/killed", "all in place after an agent's crash", Mark.MEDIAN, SECOND),
          time("return/upgraded", "all in place after an upgrade", Mark.MEDIAN, SECOND),
          time("return/runtime", "all in place after a runtime's crash", Mark.MEDIAN, SECOND),
          time("return/stall", "all in place after a stall of the agent", Mark.MEDIAN, SECOND),
          time("relief/plan", "whom to move, 384 CPUs: a plan", Mark.SLOWEST, 2 * SECOND),
          time("relief/proof", "the same: a proof that none helps", Mark.SLOWEST, 2 * SECOND),
          time("relief/unknown", "the same: no answer found", Mark.SLOWEST, 2 * SECOND),
          time("relief/memory", "the same where memory is short", Mark.SLOWEST, 10 * SECOND));

  /** Nobody's neighbour makes a process larger, so that only times are given room. */
  double slack(double forTimes) {
    return unit == Unit.NANOSECONDS ? forTimes : 1;
  }

  private static RuntimeFigure time(String name, String words, Mark mark, double most) {
    return new RuntimeFigure(name, words, Unit.NANOSECONDS, Optional.of(new Asked(mark, most)));
  }

  private static RuntimeFigure memory(String name, String words, double most) {
    return new RuntimeFigure(
        name, words, Unit.KILOBYTES, Optional.of(new Asked(Mark.MEDIAN, most)));
  }

  private static RuntimeFigure told(String name, String words) {
    return new RuntimeFigure(name, words, Unit.NANOSECONDS, Optional.empty());
  }
}
