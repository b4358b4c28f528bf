package dev.berth.linux;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Files of the kernel's, of which a discovery reads a thousand before anything is compiled: opened,
 * read and closed with as little as the JDK allows around it.
 */
final class SmallFile {
  /** The kernel gives at most a page for a read, and less only at the end. */
  private static final int PAGE = 4096;

  private SmallFile() {}

  /**
   * The whole content, a character a byte.
   *
   * @throws java.nio.file.NoSuchFileException where there is none
   */
  static String text(String file) throws IOException {
    try (FileInputStream in = new FileInputStream(file)) {
      byte[] bytes = new byte[PAGE];
      int length = 0;
      for (int read = in.read(bytes); read > 0; read = in.read(bytes, length, PAGE)) {
        length += read;
        if (read < PAGE) {
          break;
        }
        bytes = Arrays.copyOf(bytes, length + PAGE);
      }
      return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    } catch (FileNotFoundException e) {
      // Absent, forbidden or a folder: only this way tells which.
      return new String(Files.readAllBytes(Path.of(file)), StandardCharsets.ISO_8859_1);
    }
  }
}
