package dev.berth.cpu;

import java.io.Serial;

/**
 * Input from outside that cannot be understood or is contradictory: a cpuset, a machine, a recorded
 * case, a checkpoint.
 *
 * <p>The message is one line that names what was read, where in it, what was expected and what was
 * found. The command line prints it alone and exits with 2. A request that is understood and
 * refused is not an exception but a value.
 */
public final class InvalidInputException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Tells what is wrong.
   *
   * @param message one line naming what, where, expected and found
   */
  public InvalidInputException(String message) {
    super(message);
  }
}
