package dev.berth.linux;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** A file that somebody named: read whole, or refused in one line. */
public final class InputFile {
  private InputFile() {}

  /**
   * The text of a file.
   *
   * @param what what was expected, for example {@code a topology file of hwloc}
   * @throws InvalidInputException where it cannot be read
   */
  public static String text(Path file, String what) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unreadable(file.toString(), what, e);
    }
  }

  /** The line about a file that could not be read. */
  public static InvalidInputException unreadable(String file, String what, IOException why) {
    return new InvalidInputException(
        file + ": expected " + what + ", found " + words(file, why), why);
  }

  private static String words(String file, IOException why) {
    return switch (why) {
      case NoSuchFileException absent -> "no such file";
      case AccessDeniedException denied -> "a file that may not be read";
      case CharacterCodingException garbled -> "text that is not UTF-8";
      case ZipException damaged -> "damaged gzip data";
      default -> Files.isDirectory(Path.of(file)) ? "a folder" : String.valueOf(why.getMessage());
    };
  }
}
