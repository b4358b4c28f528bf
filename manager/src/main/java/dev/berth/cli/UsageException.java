package dev.berth.cli;

/** Every word was understood, but they do not go together. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UsageException(String line) {
    super(line);
  }
}
