package dev.berth.cli;

/**
 * A bar for somebody who waits at a terminal; nothing anywhere else, and nothing for a moment.
 *
 * <p>It stands among the words for people, so that it is seen too where the answer goes to a file.
 */
final class Progress implements AutoCloseable {
  private static final int WIDEST_BAR = 24;
  private static final long PATIENCE_NANOS = 500_000_000;

  private final Output output;
  private final String deed;
  private final long began = System.nanoTime();
  private int shown = -1;
  private int columns;

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
    if (percent == shown
        || !output.isProgressSeen()
        || System.nanoTime() - began < PATIENCE_NANOS) {
      return;
    }
    shown = percent;
    String line = line(deed, percent, output.width());
    columns = line.length();
    output.err().print("\r" + line);
    output.err().flush();
  }

  /**
   * What is shown: with a bar as far as there is room, for a line that breaks is not drawn over.
   */
  static String line(String deed, int percent, int width) {
    // As wide from beginning to end. The last column is left, where some terminals break the line.
    int bar = Math.min(WIDEST_BAR, width - 1 - (deed + " [] 100 %").length());
    if (bar <= 0) {
      return deed + " " + percent + " %";
    }
    int full = bar * percent / 100;
    return deed + " [" + "#".repeat(full) + "-".repeat(bar - full) + "] " + percent + " %";
  }

  /** Leaves the line as it was, so that something else can be written there; also before more. */
  @Override
  public synchronized void close() {
    if (shown >= 0) {
      // With spaces, for a terminal may know no more than to go back to a line's beginning.
      output.err().print("\r" + " ".repeat(columns) + "\r");
      output.err().flush();
      shown = -1;
    }
  }
}
