package dev.berth.agent;

import dev.berth.workload.Pod;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who is there, in the order of their coming.
 *
 * @param <R> what is known of each
 */
final class Residents<R extends Resident> {
  private final Map<String, R> byUid = new LinkedHashMap<>();
  private final Departed departed = new Departed();

  Collection<R> all() {
    return Collections.unmodifiableCollection(byUid.values());
  }

  /** For those who change who is there while they go through all. */
  List<R> copy() {
    return List.copyOf(byUid.values());
  }

  Optional<R> get(String uid) {
    return Optional.ofNullable(byUid.get(uid));
  }

  boolean contains(String uid) {
    return byUid.containsKey(uid);
  }

  void put(R resident) {
    byUid.put(resident.uid(), resident);
  }

  void remove(String uid) {
    R gone = byUid.remove(uid);
    if (gone != null) {
      departed.add(gone);
    }
  }

  /** Those who were here, or were refused and never on the list. */
  Departed departed() {
    return departed;
  }

  /** By uid, or by the name that people use: one's name may be another's uid. */
  Optional<R> find(String name) {
    return get(name).or(() -> byUid.values().stream().filter(r -> r.isCalled(name)).findFirst());
  }

  /** What those ask for who are not over. */
  List<Pod> requests() {
    return byUid.values().stream()
        .filter(resident -> !resident.life().phase().isOver())
        .map(Resident::request)
        .toList();
  }

  /** Whether somebody runs on the shared pool. */
  boolean anyShares(Seating seating) {
    for (R resident : byUid.values()) {
      for (ContainerLife container : resident.placed()) {
        if (seating.shares(resident.request(), container.name())) {
          return true;
        }
      }
    }
    return false;
  }
}
