package dev.berth.ttrpc;

/** The other end, or our own handler, refuses a call. */
public final class TtrpcException extends Exception {
  /** Something went wrong that has no number of its own. */
  public static final int UNKNOWN = 2;

  /** There is no such service or method. */
  public static final int UNIMPLEMENTED = 12;

  /** A defect. */
  public static final int INTERNAL = 13;

  private static final long serialVersionUID = 1;

  private final int code;

  /**
   * A refusal.
   *
   * @param code as gRPC counts them
   * @param message one line
   */
  public TtrpcException(int code, String message) {
    super(message);
    this.code = code;
  }

  /** The code, as gRPC counts them. */
  public int code() {
    return code;
  }
}
