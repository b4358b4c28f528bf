package dev.berth.workload;

import dev.berth.cpu.InvalidInputException;
import java.math.BigDecimal;
import java.math.RoundingMode;

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

  /** Beyond this an exponent can only be hostile: the largest amount fits in 63 bits. */
  private static final int EXPONENT_LIMIT = 30;

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
    String suffix = text.substring(end);
    if (end > 0 && end <= 18 && text.indexOf('.') < 0) {
      // The usual ones without BigDecimal, which takes long to set itself up at a start.
      long number = Long.parseLong(text, 0, end, 10);
      long multiple = multiple(suffix);
      if (multiple > 0 && number <= Long.MAX_VALUE / multiple) {
        return of(number * multiple);
      }
      if (suffix.equals("m")) {
        return ofMillis(number);
      }
    }
    BigDecimal amount = number(text, end).multiply(unit(text, suffix));
    BigDecimal rounded = amount.setScale(9, RoundingMode.UP);
    if (rounded.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
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
    long multiple = multiple(suffix);
    if (multiple > 0) {
      return BigDecimal.valueOf(multiple);
    }
    int places = places(suffix);
    if (places > 0) {
      return BigDecimal.valueOf(1, places);
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

  /** How many a suffix stands for; 0 where it is none, or one of parts. */
  private static long multiple(String suffix) {
    return switch (suffix) {
      case "" -> 1;
      case "k" -> 1_000;
      case "M" -> 1_000_000;
      case "G" -> 1_000_000_000;
      case "T" -> 1_000_000_000_000L;
      case "P" -> 1_000_000_000_000_000L;
      case "E" -> 1_000_000_000_000_000_000L;
      case "Ki" -> 1L << 10;
      case "Mi" -> 1L << 20;
      case "Gi" -> 1L << 30;
      case "Ti" -> 1L << 40;
      case "Pi" -> 1L << 50;
      case "Ei" -> 1L << 60;
      default -> 0;
    };
  }

  /** How many decimal places the part is away that a suffix stands for; 0 where it is none. */
  private static int places(String suffix) {
    return switch (suffix) {
      case "m" -> 3;
      case "u" -> 6;
      case "n" -> 9;
      default -> 0;
    };
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

  // Written out, for what a record makes of itself is put together at its first use, at every
  // start.
  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity that && units == that.units && nanos == that.nanos;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(units) + nanos;
  }

  @Override
  public String toString() {
    if (nanos == 0) {
      return Long.toString(units);
    }
    return BigDecimal.valueOf(nanos, 9)
        .add(BigDecimal.valueOf(units))
        .stripTrailingZeros()
        .toPlainString();
  }
}
