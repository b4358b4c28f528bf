package dev.berth.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Reads the version that the build wrote. */
final class Version {
  private static final String NUMBER = read();

  private Version() {}

  /** What {@code --version} prints. */
  static String line() {
    return "berth " + number();
  }

  static String number() {
    return NUMBER;
  }

  private static String read() {
    var properties = new Properties();
    try (var in = Version.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing from the build");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }
}
