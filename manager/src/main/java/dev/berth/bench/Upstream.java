package dev.berth.bench;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Kubernetes' own times for the workloads, from a program that runs its managers: called with
 * {@code bench} it prints one JSON object a line, with a name, nanoseconds and perhaps what came of
 * it.
 */
public final class Upstream {
  /**
   * What the program told of a workload.
   *
   * @param ns nanoseconds for one run
   * @param outcome what came of it, where it was told
   */
  public record Told(long ns, Optional<String> outcome) {
    Told orBetter(Told other) {
      return other.ns < ns ? other : this;
    }
  }

  private Upstream() {}

  /** Runs the program to its end. */
  public static Map<String, Told> run(Path program) {
    Map<String, Told> times = new LinkedHashMap<>();
    try {
      Process process =
          new ProcessBuilder(program.toString(), "bench")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader lines = process.inputReader()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          JsonNode timing = Json.read(line);
          if (!timing.path("name").isString() || timing.path("ns").asLong(0) <= 0) {
            throw new InvalidInputException(
                program
                    + " bench: expected a name and nanoseconds, found "
                    + (line.isBlank() ? "an empty line" : line));
          }
          times.put(
              timing.path("name").asString(),
              new Told(timing.path("ns").asLong(), timing.path("outcome").stringValueOpt()));
        }
      }
      int code = process.waitFor();
      if (code != 0) {
        throw new InvalidInputException(program + " bench: expected exit code 0, found " + code);
      }
      if (times.isEmpty()) {
        throw new InvalidInputException(program + " bench: expected JSON lines, found none");
      }
      return times;
    } catch (IOException | JacksonException e) {
      throw new InvalidInputException(
          program + " bench: expected a program that prints JSON lines, found " + e.getMessage(),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InvalidInputException(program + " bench: interrupted", e);
    }
  }

  /** For every workload the shorter of two times. */
  public static Map<String, Told> better(Map<String, Told> one, Map<String, Told> other) {
    Map<String, Told> better = new LinkedHashMap<>(one);
    other.forEach((name, told) -> better.merge(name, told, Told::orBetter));
    return better;
  }
}
