package dev.berth.terminal;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of this process as one screen: another page than the one with the shell's lines, no
 * cursor, each key at once and unseen. Closing it brings back what was; so do the signals that end
 * a process and an exception that nobody caught.
 *
 * <p>Modes are set by {@code stty}, which knows every system's numbers. Ctrl-C still ends the
 * process. Whoever stops it (Ctrl-Z) calls {@link #leave()} before and {@link #enter()} after, so
 * that the shell has its own screen meanwhile.
 */
public final class Terminal implements AutoCloseable {
  private static final Path DEVICE = Path.of("/dev/tty");
  private static final long PATIENCE_SECONDS = 5;
  private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[2J";
  private static final String LEAVE = "\u001b[0m\u001b[?25h\u001b[?1049l";

  private final PrintStream out;
  private final FrameWriter writer;
  private final String saved;
  private final InputStream keyboard;
  private final Thread restorer = new Thread(this::restore, "berth-terminal");
  private Optional<Frame> shown = Optional.empty();
  private boolean isOpen = true;
  private boolean isAway = true;

  private Terminal(PrintStream out, FrameWriter writer, String saved) throws IOException {
    this.out = out;
    this.writer = writer;
    this.saved = saved;
    keyboard = new FileInputStream(DEVICE.toFile());
  }

  /**
   * Takes the terminal.
   *
   * @param out where it is written to
   * @param writer what it can show
   * @throws IOException where this process has none, or it cannot be set
   */
  public static Terminal open(PrintStream out, FrameWriter writer) throws IOException {
    if (!Files.isReadable(DEVICE)) {
      throw new IOException(DEVICE + ": expected a terminal, found none");
    }
    Terminal terminal = new Terminal(out, writer, stty("-g").strip());
    Runtime.getRuntime().addShutdownHook(terminal.restorer);
    terminal.enter();
    return terminal;
  }

  /**
   * Takes the screen, or takes it again; the next frame is drawn whole.
   *
   * @throws IOException where the terminal cannot be set
   */
  public synchronized void enter() throws IOException {
    if (!isOpen) {
      return;
    }
    isAway = false;
    // A thread dump, which Ctrl-\\ asks for, would be written over the picture.
    stty("-icanon", "-echo", "min", "1", "time", "0", "quit", "undef");
    out.print(ENTER);
    out.flush();
    shown = Optional.empty();
  }

  /** Gives the screen back for a while; until {@link #enter()} nothing is shown. */
  public synchronized void leave() {
    if (isAway) {
      return;
    }
    isAway = true;
    try {
      out.print(LEAVE);
      out.flush();
    } finally {
      reset();
    }
  }

  /** How large it is now; the usual where it does not know. */
  public Size size() {
    try {
      return Size.parse(stty("size")).orElse(Size.USUAL);
    } catch (IOException e) {
      return Size.USUAL;
    }
  }

  /** What is pressed. */
  public Keys keys() {
    return new Keys(keyboard);
  }

  /** Shows a frame: all of it where the size has changed, otherwise what is new. */
  public synchronized void show(Frame frame) {
    if (isAway) {
      return;
    }
    boolean isOther = shown.isPresent() && !shown.get().size().equals(frame.size());
    String update = writer.update(shown, frame);
    if (!update.isEmpty()) {
      out.print((isOther ? "\u001b[2J" : "") + update);
      out.flush();
    }
    shown = Optional.of(frame);
  }

  @Override
  public void close() {
    restore();
    try {
      Runtime.getRuntime().removeShutdownHook(restorer);
    } catch (IllegalStateException e) {
      // The process ends already, and with it the need.
      return;
    }
  }

  private synchronized void restore() {
    isOpen = false;
    leave();
  }

  private void reset() {
    try {
      stty(saved);
    } catch (IOException e) {
      // A terminal that is gone needs nothing any more.
      return;
    }
  }

  private static String stty(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(DEVICE.toFile())
            .redirectError(Redirect.DISCARD)
            .start();
    try (InputStream answer = process.getInputStream()) {
      String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("stty " + arguments[0] + ": expected a terminal that can be set");
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("stty: interrupted", e);
    }
  }
}
