package dev.berth.workload;

import dev.berth.cpu.InvalidInputException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/**
 * An amount of a resource, as Kubernetes writes it: {@code 2}, {@code 500m}, {@code 1.5Gi}, {@code
 * 1e3}.
 *
 * <p>Exact to a billionth; what is finer is rounded up when read, as upstream does, and so are
 * {@link #value} and {@link #millis}: an amount is never taken for less than was asked.
 *
 * @param units whole units, zero or more
 * @param nanos billionths of a unit beyond them, below a billion
 */
public record Quantity(long units, int nanos) implements Comparable<Quantity> {
  /** Nothing. */
  public static final Quantity ZERO = of(0);

  private static final int NANOS_PER_UNIT = 1_000_000_000;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private static final Map<String, BigDecimal> SUFFIXES =
      Map.ofEntries(
          Map.entry("n", BigDecimal.ONE.movePointLeft(9)),
          Map.entry("u", BigDecimal.ONE.movePointLeft(6)),
          Map.entry("m", BigDecimal.ONE.movePointLeft(3)),
          Map.entry("", BigDecimal.ONE),
          Map.entry("k", BigDecimal.TEN.pow(3)),
          Map.entry("M", BigDecimal.TEN.pow(6)),
          Map.entry("G", BigDecimal.TEN.pow(9)),
          Map.entry("T", BigDecimal.TEN.pow(12)),
          Map.entry("P", BigDecimal.TEN.pow(15)),
          Map.entry("E", BigDecimal.TEN.pow(18)),
          Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
          Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
          Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
          Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
          Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
          Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

  /** Beyond this an exponent can only be hostile: the largest amount fits in 63 bits. */
  private static final int EXPONENT_LIMIT = 30;

  private static final BigDecimal LIMIT = BigDecimal.valueOf(Long.MAX_VALUE);

  /** Refuses less than nothing. */
  public Quantity {
    if (units < 0 || nanos < 0 || nanos >= NANOS_PER_UNIT) {
      throw new InvalidInputException(
          "quantity: expected zero or more, found "
              + units
              + (nanos == 0 ? "" : " and " + nanos + " billionths"));
    }
  }

  /** So many whole units. */
  public static Quantity of(long units) {
    return new Quantity(units, 0);
  }

  /** So many thousandths. */
  public static Quantity ofMillis(long millis) {
    return new Quantity(
        Math.floorDiv(millis, 1000), (int) Math.floorMod(millis, 1000L) * NANOS_PER_MILLI);
  }

  /**
   * Reads Kubernetes' notation.
   *
   * @throws InvalidInputException where it is something else, below zero, or beyond 63 bits
   */
  public static Quantity parse(String written) {
    String text = written.startsWith("+") ? written.substring(1) : written;
    int end = numberEnd(text);
    if (end == text.length() && end > 0 && end <= 18 && text.indexOf('.') < 0) {
      return of(Long.parseLong(text));
    }
    BigDecimal amount = number(text, end).multiply(unit(text, text.substring(end)));
    BigDecimal rounded = amount.setScale(9, RoundingMode.UP);
    if (rounded.compareTo(LIMIT) > 0) {
      throw error(text, "at most " + Long.MAX_VALUE);
    }
    BigDecimal[] parts = rounded.divideAndRemainder(BigDecimal.ONE);
    return new Quantity(parts[0].longValueExact(), parts[1].movePointRight(9).intValueExact());
  }

  private static int numberEnd(String text) {
    int end = 0;
    while (end < text.length()
        && (text.charAt(end) == '.' || (text.charAt(end) >= '0' && text.charAt(end) <= '9'))) {
      end++;
    }
    return end;
  }

  private static BigDecimal number(String text, int end) {
    String digits = text.substring(0, end);
    if (digits.isEmpty()
        || digits.equals(".")
        || digits.indexOf('.') != digits.lastIndexOf('.')
        || end > 64) {
      throw error(text, "a number from 0");
    }
    return new BigDecimal(digits.startsWith(".") ? "0" + digits : digits);
  }

  private static BigDecimal unit(String text, String suffix) {
    BigDecimal unit = SUFFIXES.get(suffix);
    if (unit != null) {
      return unit;
    }
    if (suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')) {
      try {
        int exponent = Integer.parseInt(suffix.substring(1));
        if (Math.abs(exponent) <= EXPONENT_LIMIT) {
          return BigDecimal.ONE.scaleByPowerOfTen(exponent);
        }
      } catch (NumberFormatException e) {
        throw error(text, "a number after " + suffix.charAt(0));
      }
    }
    throw error(text, "a unit such as m, k, Mi, Gi or e3 after the number");
  }

  private static InvalidInputException error(String text, String expected) {
    String shown = text.length() <= 40 ? text : text.substring(0, 37) + "...";
    return new InvalidInputException("quantity \"" + shown + "\": expected " + expected);
  }

  /** The amount in whole units, rounded up. */
  public long value() {
    return nanos == 0 || units == Long.MAX_VALUE ? units : units + 1;
  }

  /** The amount in thousandths, rounded up; at most what 63 bits can count. */
  public long millis() {
    int rest = (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    return units > (Long.MAX_VALUE - rest) / 1000 ? Long.MAX_VALUE : units * 1000 + rest;
  }

  /** Whether it is a whole number of units, seen in thousandths that are rounded up. */
  public boolean isWhole() {
    return nanos == 0 || nanos > NANOS_PER_UNIT - NANOS_PER_MILLI;
  }

  /** Whether it is nothing. */
  public boolean isZero() {
    return units == 0 && nanos == 0;
  }

  /** Both together; at most what 63 bits can count. */
  public Quantity plus(Quantity other) {
    if (isZero()) {
      return other;
    }
    int sum = nanos + other.nanos;
    int carry = sum >= NANOS_PER_UNIT ? 1 : 0;
    long whole = units + other.units + carry;
    return whole < 0 ? of(Long.MAX_VALUE) : new Quantity(whole, sum - carry * NANOS_PER_UNIT);
  }

  @Override
  public int compareTo(Quantity other) {
    int byUnits = Long.compare(units, other.units);
    return byUnits != 0 ? byUnits : Integer.compare(nanos, other.nanos);
  }

  @Override
  public String toString() {
    return BigDecimal.valueOf(nanos, 9)
        .add(BigDecimal.valueOf(units))
        .stripTrailingZeros()
        .toPlainString();
  }
}
