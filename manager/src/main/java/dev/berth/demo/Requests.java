package dev.berth.demo;

import dev.berth.cpu.InvalidInputException;
import java.util.Optional;

/**
 * How late requests were.
 *
 * @param all of them
 * @param calm those among them of moments in which the host took none of the CPUs; see {@link
 *     CalmWindows}
 */
public record Requests(Latencies all, Latencies calm) {
  /** Of fewer, what is left is too small a part of the time to stand for it. */
  private static final double LEAST_CALM = 0.2;

  /** Refuses more that are calm than there are. */
  public Requests {
    if (calm.count() > all.count()) {
      throw new InvalidInputException(
          "requests: expected no more calm ones than all, found "
              + calm.count()
              + " of "
              + all.count());
    }
  }

  static Requests none() {
    return new Requests(new Latencies(), new Latencies());
  }

  Requests plus(Requests other) {
    Requests sum = none();
    for (Requests one : new Requests[] {this, other}) {
      sum.all.add(one.all);
      sum.calm.add(one.calm);
    }
    return sum;
  }

  /** The share that is not calm. */
  public double aside() {
    return all.count() == 0 ? 0 : 1 - (double) calm.count() / all.count();
  }

  /** Those that are calm, where they are enough for figures: a fifth of all. */
  public Optional<Latencies> calmEnough() {
    return calm.count() > 0 && calm.count() >= LEAST_CALM * all.count()
        ? Optional.of(calm)
        : Optional.empty();
  }
}
