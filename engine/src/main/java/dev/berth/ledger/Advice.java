package dev.berth.ledger;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks the makers of devices for their preferred allocation, and remembers the answers of one
 * admission, so that explaining it asks nobody again and always tells what was decided then.
 */
final class Advice {
  private final Map<String, PreferredAllocation> preferences;
  private final Map<Question, Answer> answers = new ConcurrentHashMap<>();

  Advice(Map<String, PreferredAllocation> preferences) {
    this.preferences = Map.copyOf(preferences);
  }

  private record Question(String container, String resource) {}

  /**
   * What was advised.
   *
   * @param ids the preferred devices; none where nobody gives advice
   * @param fault why there is no answer, where the one who was asked failed
   */
  record Answer(Set<String> ids, Optional<String> fault) {
    private static final Answer NONE = new Answer(Set.of(), Optional.empty());
  }

  Answer ask(
      String container, String resource, List<Device> available, List<Device> included, int size) {
    PreferredAllocation preference = preferences.get(resource);
    return preference == null
        ? Answer.NONE
        : answers.computeIfAbsent(
            new Question(container, resource),
            question -> ask(preference, available, included, size));
  }

  private static Answer ask(
      PreferredAllocation preference, List<Device> available, List<Device> included, int size) {
    try {
      Collection<String> ids = preference.prefer(available, included, size);
      return new Answer(Set.copyOf(ids), Optional.empty());
    } catch (RuntimeException e) {
      return new Answer(Set.of(), Optional.of(Fault.line(e)));
    }
  }
}
