package dev.berth.agent;

import dev.berth.agent.Reunion.Listed;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cri.ContainerDetail;
import dev.berth.cri.CriClient;
import dev.berth.cri.CriContainer;
import dev.berth.cri.CriPod;
import dev.berth.cri.CriState;
import dev.berth.cri.PodDetail;
import dev.berth.linux.ProcessId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Compares what a runtime has with what it had when somebody last looked, and tells the difference.
 * On the link's watching thread only.
 *
 * <p>A listing is cheap and says who is in which state. The rest is asked once for each container,
 * and its first process once more when it has started.
 */
final class CriWatch {
  /**
   * What was last seen of a container.
   *
   * @param process its first, where it is known
   */
  private record Known(CriState state, Optional<ProcessId> process) {}

  private final CriClient client;
  private final Guests guests;
  private final Loop loop;
  private final Consumer<String> log;
  private final Map<String, Known> known = new HashMap<>();
  private final Map<String, PodDetail> sandboxes = new HashMap<>();
  private boolean met;

  CriWatch(CriClient client, Guests guests, Loop loop, Consumer<String> log) {
    this.client = client;
    this.guests = guests;
    this.loop = loop;
    this.log = log;
  }

  /** Looks at everything: who has gone, who has stopped, who is new, in this order. */
  void look() throws IOException {
    List<CriContainer> listed =
        client.containers().stream()
            .sorted(Comparator.comparingLong(CriContainer::createdAt))
            .toList();
    Set<String> over = over(listed);
    List<CriContainer> there =
        listed.stream()
            .filter(one -> one.state() != CriState.EXITED || !over.contains(one.sandbox()))
            .toList();
    if (met) {
      compare(there);
    } else {
      meet(there);
      met = true;
    }
    sandboxes
        .keySet()
        .retainAll(listed.stream().map(CriContainer::sandbox).collect(Collectors.toSet()));
  }

  /** The sandboxes that have stopped: what has ended in one never runs again. */
  private Set<String> over(List<CriContainer> listed) throws IOException {
    if (listed.stream().noneMatch(one -> one.state() == CriState.EXITED)) {
      return Set.of();
    }
    return client.pods().stream()
        .filter(pod -> !pod.isReady())
        .map(CriPod::id)
        .collect(Collectors.toSet());
  }

  /** The first look: also at those who have stopped, since they may have a place. */
  private void meet(List<CriContainer> there) throws IOException {
    List<Listed> all = new ArrayList<>();
    for (CriContainer one : there) {
      Optional<ContainerDetail> detail = client.container(one.id());
      if (detail.isPresent()) {
        described(detail.get(), Optional.of(one.sandbox())).ifPresent(all::add);
      }
    }
    loop.submit(() -> guests.found(all));
  }

  private void compare(List<CriContainer> there) throws IOException {
    Set<String> ids = there.stream().map(CriContainer::id).collect(Collectors.toSet());
    List.copyOf(known.keySet()).stream().filter(id -> !ids.contains(id)).forEach(this::vanished);
    List<CriContainer> strangers = new ArrayList<>();
    for (CriContainer one : there) {
      Known before = known.get(one.id());
      if (before == null) {
        strangers.add(one);
      } else if (before.state() != one.state()) {
        look(one.id(), Optional.of(one.sandbox()));
      }
    }
    for (CriContainer one : strangers) {
      // One that came and went between two looks needs no place any more.
      if (isThere(one.state())) {
        look(one.id(), Optional.of(one.sandbox()));
      }
    }
  }

  /** Looks at one container, of which something was heard. */
  void look(String id, Optional<String> sandbox) throws IOException {
    Optional<ContainerDetail> detail = client.container(id);
    Known before = known.get(id);
    if (detail.isEmpty()) {
      if (before != null) {
        vanished(id);
      }
    } else if (before != null) {
      changed(before, detail.get());
    } else if (isThere(detail.get().state())) {
      described(detail.get(), sandbox).ifPresent(one -> loop.submit(() -> guests.arrived(one)));
    }
  }

  private static boolean isThere(CriState state) {
    return switch (state) {
      case CREATED, RUNNING -> true;
      case EXITED, UNKNOWN -> false;
    };
  }

  private void changed(Known before, ContainerDetail now) {
    if (before.state() == now.state()) {
      return;
    }
    switch (now.state()) {
      case RUNNING -> {
        known.put(now.id(), known(now));
        loop.submit(() -> guests.runs(now.id(), now.pid().orElse(0)));
      }
      case EXITED -> {
        known.put(now.id(), known(now));
        loop.submit(() -> guests.stopped(now.id(), CriGuests.code(now)));
      }
      // What the runtime has lost track of stays where it is until it knows more.
      case CREATED, UNKNOWN -> {}
    }
  }

  private static Known known(ContainerDetail detail) {
    return new Known(
        detail.state(),
        detail.pid().isPresent() ? ProcessId.of(detail.pid().getAsLong()) : Optional.empty());
  }

  /** A runtime may forget a container that goes on all the same: its CPUs are not free then. */
  private void vanished(String id) {
    Known before = known.get(id);
    if (before != null && before.process().filter(ProcessId::isAlive).isEmpty()) {
      known.remove(id);
      loop.submit(() -> guests.removed(id));
    }
  }

  /** From now on this container is known, also where it cannot be looked after. */
  private Optional<Listed> described(ContainerDetail detail, Optional<String> sandbox)
      throws IOException {
    Optional<PodDetail> pod = pod(detail.sandbox().or(() -> sandbox));
    if (pod.isEmpty()) {
      return Optional.empty();
    }
    known.put(detail.id(), known(detail));
    try {
      return Optional.of(CriGuests.listed(pod.get(), detail));
    } catch (InvalidInputException e) {
      log.accept("CRI: container " + detail.id() + ": " + e.line());
      return Optional.empty();
    }
  }

  private Optional<PodDetail> pod(Optional<String> sandbox) throws IOException {
    if (sandbox.isEmpty()) {
      return Optional.empty();
    }
    PodDetail before = sandboxes.get(sandbox.get());
    if (before != null) {
      return Optional.of(before);
    }
    Optional<PodDetail> found = client.pod(sandbox.get());
    found.ifPresent(pod -> sandboxes.put(sandbox.get(), pod));
    return found;
  }
}
