package dev.berth.ledger;

/** Says in one line what went wrong in code that is not ours. */
final class Fault {
  private Fault() {}

  static String line(Throwable thrown) {
    String message = thrown.getMessage();
    String what = message == null || message.isBlank() ? "" : ": " + message;
    return (thrown.getClass().getSimpleName() + what).replaceAll("\\p{Cntrl}", "?");
  }
}
