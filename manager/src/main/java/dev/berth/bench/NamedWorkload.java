package dev.berth.bench;

import java.util.function.Function;

/**
 * A workload that nobody has prepared yet. What one needs is made when it is asked for and no
 * sooner: else a first run would find loaded and compiled what the others were made by.
 *
 * @param name what {@code berth bench} and the comparison with Kubernetes call it
 * @param preparation makes what is not timed, for the workload of that name
 */
public record NamedWorkload(String name, Function<String, Workload<?>> preparation) {
  /** Makes all that is not timed. */
  public Workload<?> prepare() {
    return preparation.apply(name);
  }
}
