package dev.berth.cli;

/** How an answer is written: for people, or as JSON alone. */
enum OutputFormat {
  /** For people. */
  TEXT,
  /** JSON alone on the standard output. */
  JSON
}
