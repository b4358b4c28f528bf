package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import java.util.Map;

/** How long a command is willing to wait. */
final class Waiting {
  private static final Map<String, Long> UNITS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private Waiting() {}

  /** A number and a unit, such as {@code 10s}, as an option had it. */
  static long milliseconds(String option, String text) {
    String unit = text.replaceAll("^[0-9]+", "");
    Long factor = UNITS.get(unit);
    String number = text.substring(0, text.length() - unit.length());
    if (factor == null || number.isEmpty() || number.length() > 6) {
      throw new InvalidInputException(
          option + " \"" + text + "\": expected a time such as 10s, 5m or 1h");
    }
    return Long.parseLong(number) * factor;
  }
}
