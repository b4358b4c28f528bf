package dev.berth.ledger;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The providers of a node that are not ours, in the order in which they are asked. */
final class Externals {
  private final List<GuardedProvider> all = new ArrayList<>();

  void add(GuardedProvider external) {
    all.add(external);
  }

  int size() {
    return all.size();
  }

  /** Whether each can be copied. */
  boolean last() {
    return all.stream().allMatch(GuardedProvider::lasts);
  }

  /** Copies of those that can be copied. */
  List<GuardedProvider> copies() {
    return all.stream().map(GuardedProvider::copy).flatMap(Optional::stream).toList();
  }

  Set<String> resources() {
    Set<String> resources = new HashSet<>();
    all.forEach(external -> resources.addAll(external.resources()));
    return resources;
  }

  /** Gives a pod what it had of them, by name, or tells what it loses. */
  Optional<String> keep(String pod, Map<String, String> held) {
    List<String> lost = new ArrayList<>();
    new TreeMap<>(held)
        .forEach((name, text) ->
            all.stream()
                .filter(external -> external.name().equals(name))
                .findFirst()
                .map(external -> external.restore(pod, text))
                .orElseGet(() -> Optional.of("provider " + name + " is not there any more"))
                .ifPresent(lost::add));
    return lost.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", lost));
  }

  /** What pods have of them, by uid and provider. */
  SortedMap<String, SortedMap<String, String>> holdings() {
    SortedMap<String, SortedMap<String, String>> holdings = new TreeMap<>();
    for (GuardedProvider external : all) {
      external
          .holdings()
          .forEach((pod, held) ->
              holdings.computeIfAbsent(pod, uid -> new TreeMap<>()).put(external.name(), held));
    }
    return holdings;
  }

  SortedMap<String, String> of(String pod) {
    return all.isEmpty()
        ? Collections.emptySortedMap()
        : holdings().getOrDefault(pod, Collections.emptySortedMap());
  }

  /** What each failed at last. */
  List<String> faults() {
    return all.stream().map(GuardedProvider::fault).flatMap(Optional::stream).toList();
  }
}
