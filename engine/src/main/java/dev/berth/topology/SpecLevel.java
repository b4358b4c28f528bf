package dev.berth.topology;

import org.jspecify.annotations.Nullable;

/**
 * One part of a machine spec, such as {@code node:2(memory=64GiB)} or {@code [numa]}.
 *
 * @param type what kind of place it makes; null for a bare number until it is guessed
 * @param width how many of them in each place of the level above
 * @param attached whether it stands in brackets: memory beside a level instead of a level
 * @param attributes what stands in its parentheses
 * @param column where it begins in the spec, from 0
 */
record SpecLevel(
    @Nullable SpecType type, int width, boolean attached, Attributes attributes, int column) {

  /**
   * What can stand in parentheses.
   *
   * @param memory bytes of a NUMA node, or -1 where nothing is said
   * @param indexes the kernel's numbers, as written, or null
   * @param indexesAt the column where the numbers begin
   */
  record Attributes(long memory, @Nullable String indexes, int indexesAt) {
    static final Attributes NONE = new Attributes(-1, null, -1);

    Attributes withMemory(long bytes) {
      return new Attributes(bytes, indexes, indexesAt);
    }

    Attributes withIndexes(String text, int column) {
      return new Attributes(memory, text, column);
    }
  }

  boolean is(SpecType other) {
    return type == other;
  }

  SpecLevel as(SpecType guessed) {
    return new SpecLevel(guessed, width, attached, attributes, column);
  }
}
