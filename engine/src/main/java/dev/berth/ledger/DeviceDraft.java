package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.hints.Draft;
import dev.berth.hints.Hint;
import dev.berth.hints.Offer;
import dev.berth.hints.Refusal;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One pod's admission with the devices of all resources.
 *
 * <p>An init container's devices come first for those after it in its pod; a sidecar's and an app's
 * are theirs alone. A container that holds its devices already keeps them, whatever became of the
 * devices since.
 */
final class DeviceDraft implements Draft {
  private final DeviceLedger ledger;
  private final Pod pod;
  private final DeviceNeeds needs;
  private final Map<String, Map<String, List<String>>> held;
  private final DeviceBooks books;
  private final Advice advice;
  private final Trace trace;
  private final Map<String, Map<String, List<String>>> granted = new LinkedHashMap<>();
  private final Map<String, Set<String>> taken = new HashMap<>();
  private final Map<String, NavigableSet<String>> reusable = new HashMap<>();

  DeviceDraft(
      DeviceLedger ledger,
      Pod pod,
      Map<String, Map<String, List<String>>> held,
      DeviceBooks books,
      Advice advice,
      Trace trace) {
    this.ledger = ledger;
    this.pod = pod;
    this.needs = new DeviceNeeds(pod, books::knows);
    this.held = held;
    this.books = books;
    this.advice = advice;
    this.trace = trace;
  }

  @Override
  public Draft again(Trace toldTo) {
    return new DeviceDraft(ledger, pod, held, books, advice, toldTo);
  }

  @Override
  public Standing standing() {
    boolean owed = false;
    for (Container container : pod.containers()) {
      for (Map.Entry<String, Integer> need : needs.of(container).entrySet()) {
        owed = true;
        if (kept(container, need.getKey()).size() != need.getValue()) {
          return Standing.MISSING;
        }
      }
    }
    return owed ? Standing.HELD : Standing.NOTHING_OWED;
  }

  private List<String> kept(Container container, String resource) {
    return held.getOrDefault(container.name(), Map.of()).getOrDefault(resource, List.of());
  }

  @Override
  public Map<String, Offer> offers(Container container) {
    Map<String, Offer> offers = new TreeMap<>();
    needs
        .of(container)
        .forEach((resource, count) -> {
          List<String> kept = kept(container, resource);
          NavigableSet<String> again =
              reusable.getOrDefault(resource, Collections.emptyNavigableSet());
          offers.put(resource, offer(resource, kept, again, count));
        });
    return offers;
  }

  @Override
  public Map<String, Offer> offers() {
    Map<String, Offer> offers = new TreeMap<>();
    needs
        .ofPod()
        .forEach((resource, count) -> {
          NavigableSet<String> kept = new TreeSet<>(DeviceOrder.BY_ID);
          pod.containers().forEach(container -> kept.addAll(kept(container, resource)));
          offers.put(
              resource, offer(resource, List.copyOf(kept), Collections.emptyNavigableSet(), count));
        });
    return offers;
  }

  private Offer offer(String resource, List<String> kept, NavigableSet<String> again, int count) {
    DeviceStock stock = books.stocks().get(resource);
    if (stock == null || !stock.hasAll(kept)) {
      return Offer.ANYTHING; // nobody knows where they are, or were
    }
    if (kept.isEmpty()) {
      return ledger.offers().offer(stock, free(stock), stock.some(again), count);
    }
    return kept.size() == count
        ? ledger.offers().offer(stock, stock.some(kept), List.of(), count)
        : Offer.IMPOSSIBLE;
  }

  private List<Device> free(DeviceStock stock) {
    String resource = stock.resource();
    return stock.free(books.inUse(resource), taken.getOrDefault(resource, Set.of()));
  }

  @Override
  public Optional<Refusal> allocate(Container container, Hint place) {
    for (Map.Entry<String, Integer> need : needs.of(container).entrySet()) {
      Refusal refusal = allocate(container, need.getKey(), need.getValue(), place);
      if (refusal != null) {
        return Optional.of(refusal);
      }
    }
    return Optional.empty();
  }

  /** Devices are never part of a budget: each container gets its own, where the pod goes. */
  @Override
  public Optional<Refusal> allocateBudget(Hint place) {
    for (Container container : pod.containers()) {
      Optional<Refusal> refusal = allocate(container, place);
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  private @Nullable Refusal allocate(Container container, String resource, int count, Hint place) {
    List<String> kept = kept(container, resource);
    if (!kept.isEmpty()) {
      return keep(container, resource, kept, count);
    }
    DeviceStock stock = books.stocks().get(resource);
    if (stock == null) {
      return Refusal.unexpected("cannot allocate unregistered device " + resource);
    }
    if (!stock.hasHealthy()) {
      return Refusal.unexpected(
          "no healthy devices present; cannot allocate unhealthy devices " + resource);
    }
    NavigableSet<String> again = reusable.getOrDefault(resource, Collections.emptyNavigableSet());
    DevicePick pick = new DevicePick(stock, place, count, free(stock), stock.some(again));
    Optional<String> fault = pick.choose(container.name(), advice);
    if (fault.isPresent()) {
      return Refusal.unexpected(fault.get());
    }
    grant(container, resource, pick.ids());
    return null;
  }

  private @Nullable Refusal keep(
      Container container, String resource, List<String> kept, int count) {
    if (kept.size() != count) {
      return Refusal.unexpected(
          "pod \""
              + pod.uid()
              + "\" container \""
              + container.name()
              + "\" changed request for resource \""
              + resource
              + "\" from "
              + kept.size()
              + " to "
              + count);
    }
    grant(container, resource, kept);
    return null;
  }

  private void grant(Container container, String resource, List<String> ids) {
    if (trace.on()) {
      trace.add(
          new Step.Noted(container.name() + " gets " + resource + ": " + String.join(", ", ids)));
    }
    granted.computeIfAbsent(container.name(), name -> new TreeMap<>()).put(resource, ids);
    taken.computeIfAbsent(resource, name -> new TreeSet<>(DeviceOrder.BY_ID)).addAll(ids);
    NavigableSet<String> again =
        reusable.computeIfAbsent(resource, name -> new TreeSet<>(DeviceOrder.BY_ID));
    if (container.role() == Role.INIT) {
      again.addAll(ids);
    } else {
      ids.forEach(again::remove);
    }
  }

  @Override
  public void commit() {
    ledger.take(pod.uid(), granted);
  }
}
