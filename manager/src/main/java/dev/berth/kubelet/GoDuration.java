package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 10s}, {@code 1m30s}, {@code 1.5h}. */
public final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{0,18})?|\\.[0-9]{1,18})(ns|us|µs|μs|ms|s|m|h)");

  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  /**
   * Reads one that is not below zero.
   *
   * @throws InvalidInputException where it is something else, or beyond 63 bits of nanoseconds
   */
  public static Duration parse(String text) {
    String rest = text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Duration.ZERO;
    }
    Matcher part = PART.matcher(rest);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (end < rest.length() && part.find(end) && part.start() == end) {
      long unit = NANOS.getOrDefault(part.group(2), 0L);
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
      end = part.end();
    }
    if (end == 0
        || end < rest.length()
        || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new InvalidInputException(
          "expected a duration such as 10s or 1m30s, found \"" + YamlField.shown(text) + "\"");
    }
    return Duration.ofNanos(nanos.setScale(0, RoundingMode.DOWN).longValueExact());
  }
}
