package dev.berth.topology;

import java.util.function.Supplier;

/**
 * A machine that Berth knows by name.
 *
 * @param name what to ask for, for example {@code epyc-7702p}
 * @param description what it is, in one line
 * @param source where its facts are published
 * @param recipe makes it; the result is always equal
 */
public record KnownMachine(
    String name, String description, String source, Supplier<Machine> recipe) {

  /** The machine itself. */
  public Machine machine() {
    return recipe.get();
  }
}
