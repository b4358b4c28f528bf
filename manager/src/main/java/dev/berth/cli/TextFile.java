package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file that a person named. */
final class TextFile {
  /** Far beyond any file that we read whole. */
  private static final long LIMIT_BYTES = 64 << 20;

  private TextFile() {}

  /**
   * The text.
   *
   * @throws InvalidInputException where it is no text, or too long
   * @throws IOException where it cannot be read
   */
  static String read(Path file) throws IOException {
    return read(file, LIMIT_BYTES);
  }

  /** The text of a file that may be larger than most, or has to be smaller. */
  static String read(Path file, long limit) throws IOException {
    if (Files.isRegularFile(file) && Files.size(file) > limit) {
      throw new InvalidInputException(
          file + ": expected at most " + limit + " bytes, found " + Files.size(file));
    }
    if (Files.isDirectory(file)) {
      throw new InvalidInputException(file + ": expected a file, found a folder");
    }
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new InvalidInputException(file + ": expected text in UTF-8, found other bytes", e);
    }
  }
}
