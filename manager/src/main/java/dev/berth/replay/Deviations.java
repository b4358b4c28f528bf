package dev.berth.replay;

import dev.berth.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The recorded cases in which Berth deviates from Kubernetes on purpose.
 *
 * <p>A case counts as one of them only where each difference is a listed one, with our listed
 * answer: whatever else differs in it is a mismatch.
 */
final class Deviations {
  private static final String FILE = "deviations.json";

  /**
   * One case.
   *
   * @param reason why it differs
   * @param found our answer by place, as {@link Comparison} shows both
   */
  private record Deviation(String reason, Map<String, String> found) {
    boolean has(String line) {
      return found.entrySet().stream()
          .anyMatch(one ->
              line.startsWith(one.getKey() + ": expected ")
                  && line.endsWith(", found " + one.getValue()));
    }
  }

  private final Map<String, Deviation> byId = new HashMap<>();

  private Deviations() {}

  /** Those that come with this version. */
  static Deviations known() {
    Deviations deviations = new Deviations();
    for (JsonNode one : Json.readStrictly(file())) {
      Map<String, String> found = new HashMap<>();
      one.path("found")
          .properties()
          .forEach(place -> found.put(place.getKey(), place.getValue().asString()));
      deviations.byId.put(
          one.path("id").asString(), new Deviation(one.path("reason").asString(), found));
    }
    return deviations;
  }

  private static String file() {
    try (InputStream in = Deviations.class.getResourceAsStream(FILE)) {
      return new String(Objects.requireNonNull(in, FILE).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Why a case differs in these lines, if it is to. */
  Optional<String> reason(String id, List<String> lines) {
    return Optional.ofNullable(byId.get(id))
        .filter(deviation -> lines.stream().allMatch(deviation::has))
        .map(Deviation::reason);
  }
}
