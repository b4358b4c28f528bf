package dev.berth.allocation;

import dev.berth.cpu.InvalidInputException;

/** Truth values in configuration, in the spellings that Go, and so a kubelet, accepts. */
public final class Truth {
  private Truth() {}

  /**
   * Reads one.
   *
   * @param setting the setting it stands in, for the error
   * @param name the option it is the value of
   */
  public static boolean of(String setting, String name, String value) {
    return switch (value) {
      case "1", "t", "T", "TRUE", "true", "True" -> true;
      case "0", "f", "F", "FALSE", "false", "False" -> false;
      default ->
          throw new InvalidInputException(
              setting + ": " + name + ": expected true or false, found \"" + value + "\"");
    };
  }
}
