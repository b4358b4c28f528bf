package dev.berth.demo;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.CpuWish;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What came of each phase, all its slices together. */
public final class Outcome {
  private final Map<Phase, Reading> readings = new EnumMap<>(Phase.class);

  /** Counts a slice. */
  public void add(Phase phase, Reading slice) {
    readings.merge(phase, slice, Outcome::together);
  }

  private static Reading together(Reading one, Reading other) {
    CpuSet cpus = one.cpus().union(other.cpus());
    double seconds = one.seconds() + other.seconds();
    return new Reading(
        cpus,
        seconds,
        mean(one.seconds(), one.stolen(), other.seconds(), other.stolen()),
        mean(one.seconds(), one.others(), other.seconds(), other.others()),
        CpuWish.those(wish -> one.kept().contains(wish) && other.kept().contains(wish)),
        one.requests().plus(other.requests()));
  }

  private static double mean(double weight, double value, double otherWeight, double other) {
    return Math.clamp((weight * value + otherWeight * other) / (weight + otherWeight), 0, 1);
  }

  /** What a phase came to. */
  public Reading of(Phase phase) {
    Reading reading = readings.get(phase);
    if (reading == null) {
      throw new InvalidInputException(phase.word() + ": expected a slice, found none");
    }
    return reading;
  }

  /** How many times as late the one was as the other; less than a nanosecond counts as one. */
  public double ratio(Phase over, Phase under, Mark mark) {
    return ratio(of(over).latencies(), of(under).latencies(), mark);
  }

  /** The same of calm requests; empty where one of the two has too few of them. */
  public OptionalDouble calmRatio(Phase over, Phase under, Mark mark) {
    Optional<Latencies> one = of(over).requests().calmEnough();
    Optional<Latencies> other = of(under).requests().calmEnough();
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(ratio(one.get(), other.get(), mark))
        : OptionalDouble.empty();
  }

  private static double ratio(Latencies over, Latencies under, Mark mark) {
    return (double) Math.max(1, mark.of(over)) / Math.max(1, mark.of(under));
  }
}
