package dev.berth.workload;

import dev.berth.cpu.InvalidInputException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a pod may ask of CPUs of its own, each by an annotation. It changes nothing about which CPUs
 * it gets.
 */
public enum CpuWish {
  /**
   * Where nothing is to do they wait, rather than go to a sleep out of which they need time to come
   * back.
   */
  AWAKE,
  /** The machine's own programs and the kernel's threads run elsewhere. */
  UNDISTURBED;

  /** What all these annotations begin with. */
  public static final String PREFIX = "cpus.berth.dev/";

  private static final int SHOWN = 60;

  private final String word = name().toLowerCase(Locale.ROOT);
  private final String annotation = PREFIX + word;

  /** As on the command line. */
  public String word() {
    return word;
  }

  /** The annotation of the pod, {@code "true"} or {@code "false"}; false where there is none. */
  public String annotation() {
    return annotation;
  }

  /** Whether an annotation is one of these. */
  public static boolean isAnnotation(String name) {
    for (CpuWish wish : values()) {
      if (wish.annotation.equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Those that somebody has. */
  public static Set<CpuWish> those(Predicate<CpuWish> asked) {
    Set<CpuWish> wishes = EnumSet.noneOf(CpuWish.class);
    for (CpuWish wish : values()) {
      if (asked.test(wish)) {
        wishes.add(wish);
      }
    }
    return wishes;
  }

  /** All annotations, for one who has named another. */
  public static String annotations() {
    return Arrays.stream(values()).map(CpuWish::annotation).collect(Collectors.joining(" or "));
  }

  /**
   * What an annotation says.
   *
   * @param text its value
   * @return whether the pod asks for it
   * @throws InvalidInputException where it says neither true nor false
   */
  public static boolean parse(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> {
        String line = text.replaceAll("\\p{Cntrl}", "?");
        String shown = line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
        throw new InvalidInputException("expected true or false, found \"" + shown + "\"");
      }
    };
  }
}
