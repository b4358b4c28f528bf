package dev.berth.cli;

/** A bar for somebody who waits at a terminal; nothing anywhere else, and nothing for a moment. */
final class Progress implements AutoCloseable {
  private static final int WIDTH = 40;
  private static final long PATIENCE_NANOS = 500_000_000;

  private final Output output;
  private final String deed;
  private final long began = System.nanoTime();
  private int shown = -1;

  /**
   * None so far.
   *
   * @param deed what takes so long, as {@code simulating}
   */
  Progress(Output output, String deed) {
    this.output = output;
    this.deed = deed;
  }

  /** So far. From any thread, one at a time. */
  synchronized void percent(int percent) {
    if (percent == shown || !output.terminal() || System.nanoTime() - began < PATIENCE_NANOS) {
      return;
    }
    shown = percent;
    int full = WIDTH * percent / 100;
    String bar = "#".repeat(full) + "-".repeat(WIDTH - full);
    output.err().print("\r" + deed + " [" + bar + "] " + percent + " %");
    output.err().flush();
  }

  /** Leaves the line as it was. */
  @Override
  public synchronized void close() {
    if (shown >= 0) {
      output.err().print("\r\u001b[K");
      output.err().flush();
      shown = -1;
    }
  }
}
