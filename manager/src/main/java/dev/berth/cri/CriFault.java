package dev.berth.cri;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** A question without an answer, told in one line. */
final class CriFault extends IOException {
  @Serial private static final long serialVersionUID = 1;

  private static final int LONGEST = 500;

  private final Status.Code code;
  private final String why;

  private CriFault(String message, Status.Code code, String why, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.why = why;
  }

  static CriFault of(String method, Path socket, StatusRuntimeException e) {
    Status.Code code = code(e);
    String why = why(e, code);
    return new CriFault(
        "CRI " + method + " at " + socket + ": expected an answer, found " + why, code, why, e);
  }

  /**
   * What a runtime says has no cause on this side. A connection that ends while a question is being
   * sent is called unknown, as are most refusals; nobody has refused anything then.
   */
  private static Status.Code code(StatusRuntimeException e) {
    Status.Code code = e.getStatus().getCode();
    return code == Status.Code.UNKNOWN && e.getCause() != null ? Status.Code.UNAVAILABLE : code;
  }

  Status.Code code() {
    return code;
  }

  /** The runtime's words alone. */
  String why() {
    return why;
  }

  /** Whether it is the runtime that thought about the question and said no. */
  boolean isRefusal() {
    return switch (code) {
      case UNKNOWN,
          INVALID_ARGUMENT,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          FAILED_PRECONDITION,
          ABORTED,
          OUT_OF_RANGE,
          UNAUTHENTICATED ->
          true;
      case OK,
          CANCELLED,
          DEADLINE_EXCEEDED,
          NOT_FOUND,
          RESOURCE_EXHAUSTED,
          UNIMPLEMENTED,
          INTERNAL,
          UNAVAILABLE,
          DATA_LOSS ->
          false;
    };
  }

  private static String why(StatusRuntimeException e, Status.Code code) {
    StringBuilder text = new StringBuilder(code.toString());
    String description = e.getStatus().getDescription();
    if (description != null) {
      text.append(": ").append(isOurs(description) ? "no answer in time" : description);
    }
    // What the system said lies at the bottom: "No such file", "Connection refused".
    Throwable cause = e.getCause();
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause != null && cause.getMessage() != null) {
      text.append(" (").append(cause.getMessage()).append(')');
    }
    return line(text.toString(), LONGEST);
  }

  /**
   * Whether it was this side that gave up. gRPC tells that with its nanoseconds, so that no two
   * such faults would be the same and each would be told anew.
   */
  private static boolean isOurs(String description) {
    return description.contains("deadline exceeded after ");
  }

  /** Somebody else's words in one line that is no longer than this. */
  static String line(String text, int longest) {
    String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ");
    return line.length() > longest ? line.substring(0, longest) + "…" : line;
  }
}
