package dev.berth.agent;

import static java.util.stream.Collectors.partitioningBy;

import dev.berth.agent.Books.Verdict;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestReading;
import dev.berth.guest.GuestRequest;
import dev.berth.linux.ProcessId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Finds containers of another runtime that are there already: all of them when the runtime is met
 * again, and each one of a runtime that cannot ask before it creates one. On the loop only.
 */
final class Reunion {
  /** Of one for whom there is no room, and whom a runtime started while we were away. */
  static final String UNSEEN = "came while nobody looked, and shares";

  /** Of one for whom there is no room, and whom a runtime started that asks nobody. */
  static final String UNASKED = "CRI cannot refuse it, so it shares";

  /**
   * A container as a runtime lists it.
   *
   * @param reading what it is, as far as it can be read
   * @param running whether it runs, or is about to; it has stopped otherwise
   * @param code how it ended, where that is known
   * @param pid its first process; 0 where that is not known
   * @param place where the runtime was told to have it, as far as it says
   */
  record Listed(GuestReading reading, boolean running, OptionalInt code, long pid, Place place) {
    GuestContainer container() {
      return reading.container();
    }

    GuestRequest request() {
      return reading.request();
    }
  }

  private final GuestList guests;
  private final Books books;
  private final Events events;
  private final Metrics metrics;
  private final Supplier<Set<String>> unknown;

  /**
   * Decides with these books.
   *
   * @param unknown the uids of those who have something of whom nothing else is known
   */
  Reunion(
      GuestList guests,
      Books books,
      Events events,
      Metrics metrics,
      Supplier<Set<String>> unknown) {
    this.guests = guests;
    this.books = books;
    this.events = events;
    this.metrics = metrics;
    this.unknown = unknown;
  }

  /**
   * All that the runtime has now: who is not listed is gone, who is not known came meanwhile.
   * Owners come first.
   *
   * @param late what is said of one for whom there is no room
   */
  void synchronize(Listing listing, String late) {
    List<Listed> all = listing.containers();
    guests.notices().forgetAll();
    all.forEach(one -> guests.notices().told(one.place()));
    Map<String, Listed> latest = new HashMap<>();
    all.forEach(one ->
        latest.merge(one.container().uid(), one, (a, b) -> b.running() || !a.running() ? b : a));
    guests.residents().copy().stream()
        .filter(guest -> !latest.containsKey(guest.uid()) && !guest.life().phase().isOver())
        .forEach(guest -> absent(guest, listing));
    guests.residents().copy().stream()
        .filter(guest -> guest.isRefused() && !listing.hasSandboxOf(guest))
        .forEach(this::leave);
    Set<String> holders = Set.copyOf(unknown.get());
    holders.stream().filter(uid -> !listing.pods().contains(podOf(uid))).forEach(books::removed);
    List<Listed> there =
        all.stream()
            .filter(one -> one.equals(latest.get(one.container().uid())))
            .distinct()
            .toList();
    there.stream()
        .filter(one -> holders.contains(one.container().uid()))
        .forEach(one -> adopt(one.container(), one.request()));
    Map<Boolean, List<Listed>> known = there.stream().collect(partitioningBy(this::isKnown));
    known.getOrDefault(true, List.of()).forEach(this::welcome);
    known.getOrDefault(false, List.of()).forEach(one -> late(one, late));
  }

  /** A pod is gone, and with it what only a checkpoint told of. */
  void podOver(String podUid) {
    unknown.get().stream()
        .filter(uid -> podOf(uid).equals(podUid))
        .toList()
        .forEach(books::removed);
  }

  /** What a checkpoint's holder is a part of: a pod with a budget of its own is one as a whole. */
  private static String podOf(String uid) {
    int at = uid.indexOf(GuestContainer.SEPARATOR);
    return at < 0 ? uid : uid.substring(0, at);
  }

  /** One that has ended may be started again; one whose process runs has its CPUs in use. */
  private void absent(Guest guest, Listing listing) {
    if (!listing.has(guest)) {
      leave(guest);
    } else if (guest.process().isEmpty()) {
      guest.stop(OptionalInt.empty());
    }
  }

  private void leave(Guest guest) {
    events.add("gone", guest.title(), guest.container().name() + " left while nobody looked");
    guests.release(guest);
  }

  /** A container has come, and is there whether there is room for it or not. */
  void arrive(Listed one) {
    long began = System.nanoTime();
    guests.notices().told(one.place());
    GuestContainer container = one.container();
    Optional<Guest> before = guests.residents().get(container.uid());
    if (before.isPresent() && before.get().asksTheSame(guests.unhanded(one.request()))) {
      welcome(one);
    } else {
      if (before.isEmpty()) {
        var _ = guests.makeWay(container.podUid());
      }
      late(one, UNASKED);
    }
    metrics.answered(System.nanoTime() - began);
  }

  private boolean isKnown(Listed one) {
    return guests
        .residents()
        .get(one.container().uid())
        .filter(guest -> !guest.life().phase().isOver())
        .isPresent();
  }

  /** Of whom only a checkpoint told: from now on we know who it is. */
  private void adopt(GuestContainer container, GuestRequest request) {
    Guest guest = new Guest(container, request);
    CpuSet own = books.node().cpusOf(guest.uid(), container.name()).orElse(CpuSet.EMPTY);
    try {
      if (own.size() != guest.exclusiveCpus()) {
        books.removed(guest.uid());
      } else if (guests.admit(guest, false) instanceof Verdict.In) {
        guests.settle(guest, container);
        guests.tellSeat("adopted", guest);
      }
    } catch (InvalidInputException e) {
      // A plugin would not advise on its devices: it is decided on without them.
      events.add("failed", container.title(), e.line());
    }
  }

  /** One that had its place before. */
  private void welcome(Listed one) {
    Guest guest = guests.residents().get(one.container().uid()).orElseThrow();
    guest.forgetEarlier();
    if (one.running() || !guest.id().equals(one.container().id())) {
      guests.settle(guest, one.container());
    }
    if (one.running()) {
      ProcessId.of(one.pid()).ifPresent(guest::runs);
    } else {
      guest.stop(one.code());
    }
  }

  /** One that came without being asked for. */
  private void late(Listed one, String words) {
    if (!one.running()) {
      return;
    }
    GuestRequest request = guests.unhanded(one.request());
    Guest guest = new Guest(one.container(), request);
    guests.residents().get(guest.uid()).ifPresent(guests::release);
    Verdict verdict = guests.admit(guest, false);
    guests.settle(guest, one.container());
    ProcessId.of(one.pid()).ifPresent(guest::runs);
    request.unknown().forEach(line -> events.add("warning", guest.title(), line));
    switch (verdict) {
      case Verdict.In in -> {
        in.why().ifPresent(guest::explain);
        guests.tellSeat("admitted", guest);
      }
      case Verdict.Out out -> {
        out.why().ifPresent(guest::explain);
        String line = words + ": " + out.message();
        guest.displaced(Optional.of(line));
        books.chronicle().displaced(guest, line, books.node());
        events.add("displaced", guest.title(), line);
      }
    }
  }
}
