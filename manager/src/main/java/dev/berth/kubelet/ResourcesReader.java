package dev.berth.kubelet;

import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads requests and limits, and refuses those that the API server refuses. */
final class ResourcesReader {
  static final String HUGEPAGES = "hugepages-";
  private static final String STORAGE = "ephemeral-storage";
  private static final String EXTENDED =
      "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

  private final YamlField field;
  private final Map<String, YamlField> places = new LinkedHashMap<>();

  private ResourcesReader(YamlField field) {
    this.field = field;
  }

  /** Of a container: a request that is not named is the limit. */
  static Resources ofContainer(YamlField field) {
    field.expectKeys(List.of("requests", "limits", "claims"));
    ResourcesReader reader = new ResourcesReader(field);
    Map<String, Quantity> limits = reader.amounts("limits", false);
    Map<String, Quantity> requests = reader.amounts("requests", false);
    limits.forEach(requests::putIfAbsent);
    reader.check(requests, limits);
    return new Resources(requests, limits);
  }

  /**
   * Of a pod itself: CPU, memory and hugepages alone.
   *
   * @param defaults puts in what is not named
   */
  static Resources ofPod(YamlField field, Defaults defaults) {
    field.expectKeys(List.of("requests", "limits"));
    ResourcesReader reader = new ResourcesReader(field);
    Map<String, Quantity> limits = reader.amounts("limits", true);
    Map<String, Quantity> requests = reader.amounts("requests", true);
    defaults.complete(requests, limits);
    reader.check(requests, limits);
    return new Resources(requests, limits);
  }

  /** Puts in what is not named. */
  @FunctionalInterface
  interface Defaults {
    void complete(Map<String, Quantity> requests, Map<String, Quantity> limits);
  }

  private Map<String, Quantity> amounts(String name, boolean ofPod) {
    Map<String, Quantity> amounts = new LinkedHashMap<>();
    Optional<YamlField> given = field.field(name);
    if (given.isEmpty()) {
      return amounts;
    }
    given
        .get()
        .fields()
        .forEach((resource, amount) -> {
          checkName(resource, amount, ofPod);
          Quantity quantity = Quantities.read(amount);
          checkWhole(resource, quantity, amount);
          amounts.put(resource, quantity);
          places.put(resource, amount);
        });
    return amounts;
  }

  private static void checkName(String resource, YamlField amount, boolean ofPod) {
    boolean known =
        resource.equals(Resources.CPU)
            || resource.equals(Resources.MEMORY)
            || resource.startsWith(HUGEPAGES);
    boolean ofContainer = resource.equals(STORAGE) || resource.matches(EXTENDED);
    if (!known && (ofPod || !ofContainer)) {
      throw amount.error(
          ofPod
              ? "cpu, memory or hugepages-SIZE"
              : "cpu, memory, hugepages-SIZE, ephemeral-storage or VENDOR/NAME",
          '"' + YamlField.shown(resource) + '"');
    }
  }

  /** Hugepages come as whole pages, devices and the like as whole ones. */
  private static void checkWhole(String resource, Quantity quantity, YamlField amount) {
    if (resource.startsWith(HUGEPAGES)) {
      Quantity size = amount.within(() -> Quantity.parse(resource.substring(HUGEPAGES.length())));
      boolean whole =
          size.units() > 0
              && size.nanos() == 0
              && quantity.nanos() == 0
              && quantity.units() % size.units() == 0;
      if (!whole) {
        throw amount.error("whole pages of " + resource.substring(HUGEPAGES.length()));
      }
    } else if (resource.contains("/") && quantity.nanos() != 0) {
      throw amount.error("a whole number");
    }
  }

  private void check(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    requests.forEach((resource, request) -> {
      Quantity limit = limits.get(resource);
      boolean firm = resource.startsWith(HUGEPAGES) || resource.contains("/");
      YamlField place = places.getOrDefault(resource, field);
      if (limit == null) {
        if (firm) {
          throw place.error("a limit of as much beside the request", "none");
        }
      } else if (firm && !request.equals(limit)) {
        throw place.error("as much as the limit, " + limit, request.toString());
      } else if (request.compareTo(limit) > 0) {
        throw place.error("at most the limit, " + limit, request.toString());
      }
    });
    boolean pages = requests.keySet().stream().anyMatch(name -> name.startsWith(HUGEPAGES));
    if (pages && !requests.containsKey(Resources.CPU) && !requests.containsKey(Resources.MEMORY)) {
      throw field.error("cpu or memory beside hugepages", "neither");
    }
  }
}
