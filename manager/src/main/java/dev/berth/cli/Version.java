package dev.berth.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Reads the version that the build wrote. */
final class Version implements IVersionProvider {
  // Picocli asks once for every command.
  private static final String NUMBER = read();

  @Override
  public String[] getVersion() {
    return new String[] {line()};
  }

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
