package dev.berth.cli;

/** Options and parameters that belong together, such as those that name a machine. */
@FunctionalInterface
interface Part {
  /** Has a command understand them too. */
  void addTo(Syntax syntax);
}
