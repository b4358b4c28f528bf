package dev.berth.cpu;

/**
 * Input that cannot be understood or used: a cpuset, a machine, a configuration, a checkpoint.
 *
 * <p>The message is one line for a person and names what was read, where, what was expected and
 * what was found, for example {@code cpuset "0-3,x": expected a number at column 5, found "x"}. The
 * command line prints it alone and exits 2; nothing was written when it is thrown.
 */
public final class InvalidInputException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Makes one with the line that a person reads. */
  public InvalidInputException(String message) {
    super(oneLine(message));
  }

  /** Makes one with the line that a person reads, and what it came from. */
  public InvalidInputException(String message, Throwable cause) {
    super(oneLine(message), cause);
  }

  /** Input may hold line feeds and escapes, and is quoted in messages. */
  private static String oneLine(String message) {
    return message.replaceAll("\\s*\\R\\s*", " ").replaceAll("\\p{Cntrl}", "?");
  }

  /** The line that a person reads. */
  public String line() {
    return String.valueOf(getMessage());
  }
}
