package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/**
 * What the programs of this package have in common: what is wrong with figures or files is told in
 * one line, and they exit with 2. Exit code 1 is an answer, and a trace a fault of ours.
 */
final class OneLine {
  static final int WRONG = 2;

  private OneLine() {}

  /** A program; its answer is its exit code. */
  @FunctionalInterface
  interface Body {
    int run() throws IOException;
  }

  static void run(Body body) {
    int code = code(body, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  static int code(Body body, PrintStream errors) {
    try {
      return body.run();
    } catch (InvalidInputException e) {
      errors.println(e.line());
    } catch (UncheckedIOException e) {
      errors.println(line(Objects.requireNonNull(e.getCause())));
    } catch (IOException e) {
      errors.println(line(e));
    }
    return WRONG;
  }

  /** The JDK tells of a file that is absent its name alone. */
  private static String line(IOException e) {
    String line =
        switch (e) {
          case NoSuchFileException none -> none.getFile() + ": expected a file, found none";
          case FileSystemException one when one.getReason() == null ->
              one.getFile() + ": " + one.getClass().getSimpleName();
          default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    return new InvalidInputException(line).line();
  }
}
