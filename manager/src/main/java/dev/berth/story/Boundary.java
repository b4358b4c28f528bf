package dev.berth.story;

import dev.berth.topology.Level;

/** The kinds of place within which CPUs can lie together, the narrowest first. */
public enum Boundary {
  /** A physical core. */
  CORE("core", Level.CORE),
  /** A last-level cache. */
  L3("l3", Level.CACHE),
  /** A NUMA node. */
  NUMA("numa", Level.NODE),
  /** A socket. */
  SOCKET("socket", Level.SOCKET);

  private final String word;
  private final Level level;

  Boundary(String word, Level level) {
    this.word = word;
    this.level = level;
  }

  /** Its name in a story. */
  public String word() {
    return word;
  }

  /** The same among the levels of a machine. */
  public Level level() {
    return level;
  }
}
