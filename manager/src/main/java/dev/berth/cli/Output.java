package dev.berth.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes, and what stands at the other end.
 *
 * @param out answers; buffered, so {@link Main} flushes it at the end
 * @param err words for people
 * @param terminal whether a person watches {@code out}
 * @param colour whether {@code out} may carry colours
 * @param width columns that fit a line of {@code out}
 * @param isScreen whether {@code out} is a terminal on which a cursor can be moved
 * @param isBounded whether the width is a terminal's or was told; other output is made to fit a
 *     usual one where that loses nothing, but nothing is cut
 * @param isProgressSeen whether a person watches {@code err}, wherever {@code out} goes
 */
record Output(
    PrintStream out,
    PrintStream err,
    boolean terminal,
    boolean colour,
    int width,
    boolean isScreen,
    boolean isBounded,
    boolean isProgressSeen) {
  /** Columns where nobody tells how many there are. */
  static final int DEFAULT_WIDTH = 80;

  private static final int BUFFER_BYTES = 1 << 16;

  Output(PrintStream out, PrintStream err, boolean terminal, boolean colour, int width) {
    this(out, err, terminal, colour, width, terminal, terminal, terminal);
  }

  /** Columns beyond which a table is cut; as good as none where nobody told how many there are. */
  int tableWidth() {
    return isBounded ? width : Integer.MAX_VALUE;
  }

  /**
   * The process' own streams.
   *
   * @param environment read for {@code NO_COLOR}, {@code TERM} and {@code COLUMNS}
   */
  static Output standard(Map<String, String> environment) {
    // The JDK can tell only of standard input and output together; the start script tells of
    // output and errors.
    boolean terminal = Boolean.getBoolean("berth.terminal");
    var sink = new WatchedOutputStream(new FileOutputStream(FileDescriptor.out));
    var out =
        new PrintStream(new BufferedOutputStream(sink, BUFFER_BYTES), false, charset(terminal));
    return new Output(
        out,
        System.err,
        terminal,
        terminal && wantsColour(environment),
        width(environment.get("COLUMNS"), System.getProperty("berth.columns")),
        terminal && !environment.getOrDefault("TERM", "dumb").equals("dumb"),
        terminal || !environment.getOrDefault("COLUMNS", "").isEmpty(),
        Boolean.getBoolean("berth.terminal.errors"));
  }

  /** See no-color.org: the variable counts if it is there and not empty. */
  static boolean wantsColour(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }

  /** The first of the candidates that is a sensible number of columns, else the default. */
  static int width(@Nullable String... candidates) {
    for (String candidate : candidates) {
      if (candidate != null && candidate.matches("[1-9][0-9]{1,3}")) {
        return Integer.parseInt(candidate);
      }
    }
    return DEFAULT_WIDTH;
  }

  /** Files and pipes are UTF-8 everywhere; a terminal has a character set of its own. */
  private static Charset charset(boolean terminal) {
    return terminal
        ? Charset.forName(System.getProperty("stdout.encoding", "UTF-8"), StandardCharsets.UTF_8)
        : StandardCharsets.UTF_8;
  }
}
