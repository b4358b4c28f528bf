package dev.berth.bench;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A workload to time.
 *
 * @param name what {@code berth bench} and the comparison with Kubernetes call it
 * @param body one run of the whole, with what came of it
 * @param words says what came of it, as the program does that runs it through Kubernetes, so that
 *     both can be seen to do the same
 */
public record Workload<T>(String name, Supplier<T> body, Function<T, String> words) {
  /** Runs once, without a word. */
  public T run() {
    return body.get();
  }

  /** Runs once and tells what came of it. */
  public String outcome() {
    return words.apply(body.get());
  }
}
