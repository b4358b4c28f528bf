package dev.berth.deviceplugin;

import dev.berth.cpu.InvalidInputException;
import java.time.Duration;
import java.util.List;

/**
 * How long plugins are waited for.
 *
 * @param connect until a plugin that registers has been reached and has told its options
 * @param preferred for advice on which devices belong together
 * @param allocate for what a container is to be handed, all its resources together
 * @param preStart for what a plugin does before a container starts, all its resources together
 * @param grace after the end of a plugin, until its resource is forgotten
 */
public record Patience(
    Duration connect, Duration preferred, Duration allocate, Duration preStart, Duration grace) {
  /** Connection, start and grace as in the kubelet, which would wait for the others forever. */
  public static final Patience DEFAULT =
      new Patience(
          Duration.ofSeconds(10),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5));

  /** Refuses times that are none. */
  public Patience {
    for (Duration time : List.of(connect, preferred, allocate, preStart, grace)) {
      if (!time.isPositive()) {
        throw new InvalidInputException(
            "patience with device plugins: expected a time above 0, found " + time);
      }
    }
  }
}
