package dev.berth.measure;

import dev.berth.demo.Mark;
import dev.berth.demo.Phase;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.JsonNode;

/** How late some of the requests of several runs of {@code berth demo} were. */
final class Tails {
  private final Which which;
  private final List<JsonNode> measured;
  private final int runs;

  /** Of those runs that have figures of such requests: none has where too few of them were calm. */
  Tails(Which which, List<JsonNode> runs) {
    this.which = which;
    this.runs = runs.size();
    measured =
        runs.stream().filter(run -> has(run, Phase.SHARED) && has(run, Phase.EXCLUSIVE)).toList();
  }

  private boolean has(JsonNode run, Phase phase) {
    return which.of(run, phase).has(Mark.P999.word());
  }

  /** Whether more than half of the runs have figures, so that these speak for all. */
  boolean areEnough() {
    return 2 * measured.size() > runs;
  }

  /** How many runs have figures. */
  int runs() {
    return measured.size();
  }

  Spread ratios(Phase over, Phase under, Mark mark) {
    return spread(run -> ratio(run, over, under, mark));
  }

  double pooled(Phase over, Phase under, Mark mark) {
    return new Pool(which, measured).ratio(over, under, mark);
  }

  /** Shared over own at p99.9; empty where too few runs have figures. */
  Optional<TailRatios> atThousandth() {
    return areEnough() ? Optional.of(tailRatios()) : Optional.empty();
  }

  private TailRatios tailRatios() {
    double shared = at(Phase.SHARED, Mark.P999).middle();
    double own = at(Phase.EXCLUSIVE, Mark.P999).middle();
    long reached =
        measured.stream()
            .filter(run -> ratio(run, Phase.SHARED, Phase.EXCLUSIVE, Mark.P999) >= TailRatios.ASKED)
            .count();
    return new TailRatios(
        ratios(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999).middle(),
        shared / own,
        pooled(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999),
        reached,
        runs());
  }

  /** The cells of a phase, a mark each: the median, the lowest and the highest. */
  String cells(Phase phase) {
    StringBuilder text = new StringBuilder();
    for (Mark mark : Mark.values()) {
      Spread spread = at(phase, mark);
      text.append(' ').append(Words.time(spread.middle()));
      text.append(" (").append(Words.time(spread.low())).append(" – ");
      text.append(Words.time(spread.high())).append(") |");
    }
    return text.toString();
  }

  /** The same of ratios. */
  String cells(Phase over, Phase under) {
    StringBuilder text = new StringBuilder();
    for (Mark mark : Mark.values()) {
      Spread spread = ratios(over, under, mark);
      text.append(' ').append(Words.times(spread.middle())).append(" × (");
      text.append(Words.times(spread.low())).append(" – ");
      text.append(Words.times(spread.high())).append(") |");
    }
    return text.toString();
  }

  private Spread at(Phase phase, Mark mark) {
    return spread(run -> figure(run, phase, mark));
  }

  private double ratio(JsonNode run, Phase over, Phase under, Mark mark) {
    return figure(run, over, mark) / figure(run, under, mark);
  }

  private double figure(JsonNode run, Phase phase, Mark mark) {
    return which.of(run, phase).path(mark.word()).asDouble();
  }

  private Spread spread(ToDoubleFunction<JsonNode> figure) {
    return Spread.of(measured.stream().map(figure::applyAsDouble).toList());
  }
}
