package dev.berth.agent.state;

import dev.berth.ledger.Holding;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the lines of a journal come to: who is there, in the order of their coming. */
final class Table {
  /** So many changes are remembered as checkpoints may be behind. */
  static final int REMEMBERED = 256;

  /**
   * What somebody had before a line that changed what anybody has.
   *
   * @param uid whose it was
   * @param before what it was
   */
  record Change(String uid, Holding before) {}

  private final Map<String, PodRecord> pods = new LinkedHashMap<>();
  private final SortedMap<String, Holding> unknown = new TreeMap<>();
  private final Set<String> found = new HashSet<>();
  private Optional<Entry.Header> header = Optional.empty();
  private final Deque<Change> changes = new ArrayDeque<>();

  List<PodRecord> pods() {
    return List.copyOf(pods.values());
  }

  SortedMap<String, Holding> unknown() {
    return new TreeMap<>(unknown);
  }

  /** The unknown holders of which running containers of ours tell, and nothing else. */
  Set<String> found() {
    return Set.copyOf(found);
  }

  Optional<Entry.Header> header() {
    return header;
  }

  /** The latest changes, latest first. */
  List<Change> changes() {
    return List.copyOf(changes);
  }

  Optional<PodRecord> pod(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  boolean knows(String uid) {
    return pods.containsKey(uid) || unknown.containsKey(uid);
  }

  /** What everybody has who has something, by uid. */
  SortedMap<String, Holding> holdings() {
    SortedMap<String, Holding> holdings = new TreeMap<>(unknown);
    pods.forEach((uid, pod) -> {
      if (!pod.holding().isEmpty()) {
        holdings.put(uid, pod.holding());
      }
    });
    return holdings;
  }

  private Holding holding(String uid) {
    PodRecord pod = pods.get(uid);
    return pod == null ? unknown.getOrDefault(uid, Holding.NOTHING) : pod.holding();
  }

  /** Takes a line over; one about somebody who is not there changes nothing. */
  void apply(Entry entry) {
    switch (entry) {
      case Entry.Header first -> header = Optional.of(first);
      case Entry.Known(PodRecord pod) -> {
        note(pod.uid(), pod.holding());
        unknown.remove(pod.uid());
        found.remove(pod.uid());
        pods.remove(pod.uid());
        pods.put(pod.uid(), pod);
      }
      case Entry.Unknown(String uid, Holding holding, boolean container) -> {
        note(uid, holding);
        unknown.put(uid, holding);
        if (container) {
          found.add(uid);
        } else {
          found.remove(uid);
        }
      }
      case Entry.Stopping(String uid) ->
          pods.computeIfPresent(uid, (same, pod) -> pod.with(new Standing.Stopping()));
      case Entry.Ended(String uid, Standing.Ended how, Holding holding) -> {
        note(uid, holding);
        pods.computeIfPresent(uid, (same, pod) -> pod.with(how).with(holding));
      }
      case Entry.Removed(String uid) -> {
        note(uid, Holding.NOTHING);
        pods.remove(uid);
        unknown.remove(uid);
        found.remove(uid);
      }
    }
  }

  /** Whether containers are on their own here. */
  boolean isApart() {
    return pods.keySet().stream().anyMatch(Apart::isApart)
        || unknown.keySet().stream().anyMatch(Apart::isApart);
  }

  /** Has the containers of unknown holders on their own from now on. */
  void splitUnknown() {
    SortedMap<String, Holding> split = Apart.split(unknown);
    unknown.clear();
    unknown.putAll(split);
  }

  /** Puts a pod in the place that it has already. */
  void replace(PodRecord pod) {
    pods.replace(pod.uid(), pod);
  }

  private void note(String uid, Holding after) {
    Holding before = holding(uid);
    if (!before.equals(after)) {
      changes.addFirst(new Change(uid, before));
      if (changes.size() > REMEMBERED) {
        changes.removeLast();
      }
    }
  }

  /** The shortest journal that comes to the same. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    header.ifPresent(entries::add);
    unknown.forEach(
        (uid, holding) -> entries.add(new Entry.Unknown(uid, holding, found.contains(uid))));
    pods.values().forEach(pod -> entries.add(new Entry.Known(pod)));
    return entries;
  }
}
