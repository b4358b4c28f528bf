package dev.berth.cli.guide;

/** A shell whose words can be completed. */
public enum Shell {
  /** GNU's. */
  bash,
  /** The Z shell. */
  zsh,
  /** The friendly one. */
  fish
}
