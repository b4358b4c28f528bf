package dev.berth.kubelet;

import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A pod's own budget, completed and checked against its containers as the API server does.
 *
 * <p>What containers need together is the sum of those that run at once: apps and sidecars, or an
 * init container and the sidecars before it, whichever is more.
 */
final class PodBudget {
  private final List<Container> containers;

  private PodBudget(List<Container> containers) {
    this.containers = containers;
  }

  /** The budget; none where nothing is in it. */
  static Optional<Resources> read(YamlField field, List<Container> containers) {
    PodBudget budget = new PodBudget(containers);
    Resources resources = ResourcesReader.ofPod(field, budget::complete);
    if (resources.requests().isEmpty() && resources.limits().isEmpty()) {
      return Optional.empty();
    }
    budget.check(field, resources);
    return Optional.of(resources);
  }

  private void complete(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    if (limits.isEmpty() && requests.isEmpty()) {
      return;
    }
    for (String resource : names(Resources::limits)) {
      if (resource.startsWith(ResourcesReader.HUGEPAGES) && !requests.containsKey(resource)) {
        limits.putIfAbsent(resource, together(resource, Resources::limit));
      }
    }
    if (limits.isEmpty()) {
      return;
    }
    for (String resource : names(Resources::requests)) {
      if (resource.equals(Resources.CPU) || resource.equals(Resources.MEMORY)) {
        requests.putIfAbsent(resource, together(resource, Resources::request));
      }
    }
    limits.forEach(requests::putIfAbsent);
  }

  private Set<String> names(Function<Resources, Map<String, Quantity>> side) {
    Set<String> names = new TreeSet<>();
    containers.forEach(container -> names.addAll(side.apply(container.resources()).keySet()));
    return names;
  }

  private Quantity together(String resource, BiFunction<Resources, String, Quantity> side) {
    Quantity lasting = Quantity.ZERO;
    Quantity most = Quantity.ZERO;
    for (Container container : containers) {
      Quantity own = side.apply(container.resources(), resource);
      Quantity now = lasting.plus(own);
      most = Stream.of(most, now).max(Quantity::compareTo).orElse(now);
      lasting = container.role() == Role.INIT ? lasting : now;
    }
    return most;
  }

  private void check(YamlField field, Resources budget) {
    for (String resource : new TreeSet<>(budget.requests().keySet())) {
      Quantity needed = together(resource, Resources::request);
      if (needed.compareTo(budget.request(resource)) > 0) {
        throw field.error(
            "requests of at least its containers' " + needed + " " + resource,
            budget.request(resource).toString());
      }
    }
    for (String resource : new TreeSet<>(budget.limits().keySet())) {
      Quantity limit = budget.limit(resource);
      if (resource.startsWith(ResourcesReader.HUGEPAGES)) {
        Quantity needed = together(resource, Resources::limit);
        if (needed.compareTo(limit) > 0) {
          throw field.error(
              "limits of at least its containers' " + needed + " " + resource, limit.toString());
        }
      }
      for (Container container : containers) {
        Quantity own = container.resources().limit(resource);
        if (container.role() == Role.APP && own.compareTo(limit) > 0) {
          throw field.error(
              "limits of at least container " + container.name() + "'s " + own + " " + resource,
              limit.toString());
        }
      }
    }
  }
}
