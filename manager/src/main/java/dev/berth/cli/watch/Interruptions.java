package dev.berth.cli.watch;

import dev.berth.linux.Posix;
import dev.berth.linux.Signals;
import dev.berth.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/**
 * What a shell and a window do to whoever has the screen: stop it, let it go on, make it larger.
 *
 * @param terminal given back while the process is stopped
 * @param redraw called where everything has to be drawn again, perhaps in another size
 */
record Interruptions(Terminal terminal, Runnable redraw) {
  private static final String STOP = "TSTP";

  /**
   * The signal is for the process, and another of its threads may take it: this one must not draw
   * before that has happened.
   */
  private static final long UNTIL_STOPPED_MILLISECONDS = 100;

  static Interruptions of(Terminal terminal, Runnable redraw) {
    return new Interruptions(terminal, redraw);
  }

  /** From now on. */
  void heed() {
    Signals.calls("WINCH", redraw);
    Signals.calls(STOP, this::stop);
    // Whoever was stopped by force had no time to leave, and the shell has written since.
    Signals.calls("CONT", this::goOn);
  }

  /**
   * Stops as the kernel does: not at all where nobody is there who could let it go on, as in a
   * window without a shell.
   */
  private void stop() {
    terminal.leave();
    Signals.actsAsUsual(STOP);
    try {
      Posix.kill(ProcessHandle.current().pid(), Posix.SIGTSTP);
      TimeUnit.MILLISECONDS.sleep(UNTIL_STOPPED_MILLISECONDS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Signals.calls(STOP, this::stop);
      goOn();
    }
  }

  private void goOn() {
    try {
      terminal.enter();
      redraw.run();
    } catch (IOException e) {
      // A terminal that is gone is told by its keyboard, and nobody sees what is drawn.
      return;
    }
  }
}
