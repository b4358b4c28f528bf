package dev.berth.ledger;

import dev.berth.allocation.Trace;
import dev.berth.cpu.InvalidInputException;
import dev.berth.hints.Draft;
import dev.berth.hints.HintProvider;
import dev.berth.hints.Nodes;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which devices there are and who has them.
 *
 * <p>A device that is given stays with its pod until the pod leaves, even where it falls ill or
 * goes missing meanwhile. Drafts look at {@link DeviceBooks}, which never change.
 */
final class DeviceLedger implements HintProvider {
  private final Nodes nodes;
  private final Map<String, PreferredAllocation> preferences = new HashMap<>();
  private final Map<String, Map<String, Map<String, List<String>>>> held = new HashMap<>();
  private @Nullable DeviceAssignments written;
  private DeviceBooks books = new DeviceBooks(Map.of(), Map.of());

  DeviceLedger(Nodes nodes) {
    this.nodes = nodes;
  }

  /** The same at this moment, but nobody is asked which devices belong together. */
  DeviceLedger copy() {
    DeviceLedger copy = new DeviceLedger(nodes);
    copy.held.putAll(held);
    copy.written = written;
    copy.books = books;
    return copy;
  }

  /** Replaces the devices of one resource. */
  void replace(String resource, List<Device> devices) {
    Map<String, DeviceStock> stocks = new HashMap<>(books.stocks());
    stocks.put(resource, new DeviceStock(resource, devices, nodes));
    books = new DeviceBooks(stocks, books.inUse());
  }

  /** Has someone be asked which devices of a resource belong together. */
  void prefer(String resource, PreferredAllocation preference) {
    preferences.put(resource, preference);
  }

  DeviceOffers offers() {
    return new DeviceOffers(nodes);
  }

  /** Which devices there are, by resource. */
  Map<String, DeviceStock> stocks() {
    return books.stocks();
  }

  /** Takes over what another left, if no device is with two pods. */
  void restore(Map<String, DeviceStock> stocks, DeviceAssignments before) {
    List<String> broken = DeviceRules.twoPods(before);
    if (!broken.isEmpty()) {
      throw new InvalidInputException(
          "device assignments: expected all rules to hold, found " + broken.getFirst());
    }
    books = new DeviceBooks(stocks, Map.of());
    before.ids().forEach((pod, containers) -> take(pod, new LinkedHashMap<>(containers)));
  }

  /** Keeps devices with a pod, or tells who has one of them. */
  Optional<String> keep(String pod, Map<String, ? extends Map<String, List<String>>> ids) {
    Map<String, Map<String, Map<String, List<String>>>> all = new TreeMap<>(held);
    all.put(pod, new LinkedHashMap<>(ids));
    Optional<String> broken = DeviceRules.twoPods(DeviceAssignments.of(all)).stream().findFirst();
    if (broken.isEmpty()) {
      take(pod, new LinkedHashMap<>(ids));
    }
    return broken;
  }

  /** The devices of one pod, by container and resource. */
  SortedMap<String, SortedMap<String, List<String>>> assignmentsOf(String pod) {
    return held.containsKey(pod)
        ? assignments().ids().getOrDefault(pod, Collections.emptySortedMap())
        : Collections.emptySortedMap();
  }

  DeviceAssignments assignments() {
    if (written == null) {
      written = DeviceAssignments.of(held);
    }
    return written;
  }

  /** All devices there are, by resource and id. */
  List<Device> inventory() {
    List<Device> all = new ArrayList<>();
    new TreeMap<>(books.stocks()).values().forEach(stock -> all.addAll(stock.all()));
    return List.copyOf(all);
  }

  /** What a person should know about the devices, a line each. */
  List<String> notes() {
    return new TreeMap<>(books.stocks())
        .values().stream()
            .filter(stock -> !stock.unknownNodes().isEmpty())
            .map(stock ->
                "devices of "
                    + stock.resource()
                    + ": NUMA nodes "
                    + stock.unknownNodes()
                    + " are not this machine's and are ignored")
            .toList();
  }

  Map<String, Map<String, List<String>>> of(String pod) {
    return held.getOrDefault(pod, Map.of());
  }

  @Override
  public Draft begin(Pod pod, Trace trace) {
    return new DeviceDraft(this, pod, of(pod.uid()), books, new Advice(preferences), trace);
  }

  /** Takes over the outcome of an admission. */
  void take(String pod, Map<String, ? extends Map<String, List<String>>> granted) {
    if (granted.isEmpty()) {
      return;
    }
    written = null;
    held.put(pod, Readmitted.of(held.getOrDefault(pod, Map.of()), granted));
    Map<String, Set<String>> inUse = new HashMap<>(books.inUse());
    granted
        .values()
        .forEach(resources ->
            resources.forEach((resource, ids) -> {
              Set<String> changed = new HashSet<>(inUse.getOrDefault(resource, Set.of()));
              changed.addAll(ids);
              inUse.put(resource, changed);
            }));
    books = new DeviceBooks(books.stocks(), inUse);
  }

  @Override
  public void remove(String uid) {
    Map<String, Map<String, List<String>>> gone = held.remove(uid);
    if (gone == null) {
      return;
    }
    written = null;
    Map<String, Set<String>> inUse = new HashMap<>(books.inUse());
    gone.values()
        .forEach(resources ->
            resources.forEach((resource, ids) -> {
              Set<String> changed = new HashSet<>(inUse.getOrDefault(resource, Set.of()));
              ids.forEach(changed::remove);
              inUse.put(resource, changed);
            }));
    inUse.values().removeIf(Set::isEmpty);
    books = new DeviceBooks(books.stocks(), inUse);
  }
}
