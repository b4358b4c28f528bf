package dev.berth.workload;

import dev.berth.cpu.InvalidInputException;

/**
 * How a pod asks that CPUs of its own stay awake: where nothing is to do they wait, rather than go
 * to a sleep out of which they need time to come back. It changes nothing about which CPUs it gets.
 */
public final class Awake {
  /** What all annotations begin with that are about a pod's own CPUs. */
  public static final String PREFIX = "cpus.berth.dev/";

  /** The annotation of the pod, {@code "true"} or {@code "false"}; false where there is none. */
  public static final String ANNOTATION = PREFIX + "awake";

  private static final int SHOWN = 60;

  private Awake() {}

  /**
   * What the annotation says.
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
