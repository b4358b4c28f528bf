package dev.berth.cli;

/** What a run of {@code berth} ends with. Scripts rely on the numbers. */
enum ExitCode {
  /** What was asked for is done. */
  DONE(0),
  /** The question was understood and the answer is no: a request refused, a case that differs. */
  REFUSED(1),
  /** Wrong usage or wrong input. */
  INVALID(2),
  /** The agent cannot be reached. */
  UNREACHABLE(3),
  /** A defect of ours; the number is EX_SOFTWARE of sysexits.h. */
  INTERNAL(70),
  /** The answer could not be written; the number is EX_IOERR of sysexits.h. */
  UNWRITABLE(74),
  /**
   * Whoever read the answer went away, as {@code head} does; the number is a shell's for SIGPIPE.
   */
  PIPE_CLOSED(141);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
