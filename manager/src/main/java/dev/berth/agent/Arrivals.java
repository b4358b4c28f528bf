package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.PodLife.Phase;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestRequest;
import dev.berth.linux.ProcessId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * Decides on containers of another runtime: on each before it is created, and on all that are there
 * when the runtime is met again. On the loop only.
 */
final class Arrivals {
  /** Refused ones stay visible, the latest of them. */
  private static final int MOST_REFUSED = 200;

  /** Of one for whom there is no room, and whom a runtime started while we were away. */
  static final String UNSEEN = "came while nobody looked, and shares";

  /** Of one for whom there is no room, and whom a runtime started that asks nobody. */
  static final String UNASKED = "CRI cannot refuse it, so it shares";

  /** What becomes of a container that is about to be created. */
  sealed interface Answer {
    /**
     * It gets a place.
     *
     * @param place where it is to be
     * @param others who has to move before it starts
     * @param devices the ids of its devices, by resource
     */
    record Placed(Place place, List<Place> others, SortedMap<String, List<String>> devices)
        implements Answer {}

    /**
     * It must not start.
     *
     * @param line why
     */
    record Refused(String line) implements Answer {}
  }

  /**
   * A container as a runtime lists it.
   *
   * @param container what it is
   * @param running whether it runs, or is about to; it has stopped otherwise
   * @param pid its first process; 0 where that is not known
   * @param place where the runtime was told to have it, as far as it says
   */
  record Listed(GuestContainer container, boolean running, long pid, Place place) {}

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
  Arrivals(
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

  /** A container is about to be created. */
  Answer create(GuestContainer container) {
    long began = System.nanoTime();
    try {
      return decide(container);
    } catch (InvalidInputException e) {
      events.add("refused", container.title(), e.line());
      return new Answer.Refused(e.line());
    } finally {
      metrics.answered(System.nanoTime() - began);
    }
  }

  private Answer decide(GuestContainer container) {
    GuestRequest request = GuestRequest.of(container);
    Optional<Guest> before = guests.residents().get(container.uid());
    if (before.isPresent() && isSame(before.get(), request)) {
      return placed(before.get(), container);
    }
    before.ifPresentOrElse(guests::release, () -> makeWay(container.podUid()));
    Guest guest = new Guest(container, request);
    return switch (guests.admit(guest, true)) {
      case Verdict.Out out -> refused(guest, out);
      case Verdict.In in -> {
        in.why().ifPresent(guest::explain);
        Answer answer = placed(guest, container);
        request.unknown().forEach(line -> events.add("warning", guest.title(), line));
        tellSeat("admitted", guest);
        yield answer;
      }
    };
  }

  private static boolean isSame(Guest before, GuestRequest request) {
    return !before.life().phase().isOver()
        && before.displaced().isEmpty()
        && before.request().containers().equals(request.pod().containers());
  }

  private Answer placed(Guest guest, GuestContainer attempt) {
    guests.settle(guest, attempt);
    Place place = guests.notices().place(guest);
    guests.notices().told(place);
    return new Answer.Placed(
        place,
        guests.notices().answer(),
        books.node().deviceAssignments().of(guest.uid(), attempt.name()));
  }

  /**
   * What has stopped of a pod by the first coming of another container makes way: init containers,
   * as a rule, which nobody removes before the pod.
   */
  private void makeWay(String podUid) {
    guests.ofPod(podUid).stream().filter(Guest::isStopped).forEach(guests::release);
  }

  private Answer refused(Guest guest, Verdict.Out out) {
    String line = out.reason() + ": " + out.message();
    guest.life().over(Phase.FAILED, line);
    out.why().ifPresent(guest::explain);
    guests.keepVisible(guest);
    events.add("refused", guest.title(), line);
    List<Guest> over =
        guests.residents().all().stream().filter(r -> r.life().phase().isOver()).toList();
    over.subList(0, Math.max(0, over.size() - MOST_REFUSED)).forEach(guests::release);
    String holders =
        out.why().isPresent()
            ? Descriptions.holders(guests.residents().all(), guests.seating())
            : "";
    return new Answer.Refused(
        guest.title() + "/" + guest.container().name() + ": " + line + holders);
  }

  /** A container that was given a place cannot have its devices: it must not start. */
  void unhanded(String uid, String line) {
    guests
        .residents()
        .get(uid)
        .ifPresent(guest -> {
          guests.release(guest);
          guest.life().over(Phase.FAILED, line);
          guests.keepVisible(guest);
          events.add("refused", guest.title(), line);
        });
  }

  /**
   * All that the runtime has now: who is not listed is gone, who is not known came meanwhile.
   * Owners come first.
   *
   * @param late what is said of one for whom there is no room
   */
  void synchronize(List<Listed> all, String late) {
    guests.notices().forgetAll();
    all.forEach(one -> guests.notices().told(one.place()));
    Map<String, Listed> latest = new HashMap<>();
    all.forEach(one ->
        latest.merge(one.container().uid(), one, (a, b) -> b.running() || !a.running() ? b : a));
    for (Guest guest : guests.residents().copy()) {
      if (!latest.containsKey(guest.uid()) && !guest.life().phase().isOver()) {
        events.add("gone", guest.title(), guest.container().name() + " left while nobody looked");
        guests.release(guest);
      }
    }
    Set<String> holders = Set.copyOf(unknown.get());
    holders.stream().filter(uid -> !latest.containsKey(uid)).forEach(books::removed);
    List<Listed> there = all.stream().filter(one -> latest.containsValue(one)).distinct().toList();
    there.stream()
        .filter(one -> holders.contains(one.container().uid()))
        .forEach(one -> adopt(one.container()));
    List<Listed> known = there.stream().filter(this::isKnown).toList();
    known.forEach(this::welcome);
    there.stream().filter(one -> !known.contains(one)).forEach(one -> late(one, late));
  }

  /** A container has come, and is there whether there is room for it or not. */
  void arrive(Listed one) {
    long began = System.nanoTime();
    try {
      guests.notices().told(one.place());
      GuestContainer container = one.container();
      Optional<Guest> before = guests.residents().get(container.uid());
      if (before.isPresent() && isSame(before.get(), GuestRequest.of(container))) {
        welcome(one);
      } else {
        if (before.isEmpty()) {
          makeWay(container.podUid());
        }
        late(one, UNASKED);
      }
    } catch (InvalidInputException e) {
      events.add("failed", one.container().title(), e.line());
    } finally {
      metrics.answered(System.nanoTime() - began);
    }
  }

  private boolean isKnown(Listed one) {
    return guests
        .residents()
        .get(one.container().uid())
        .filter(guest -> !guest.life().phase().isOver())
        .isPresent();
  }

  /** Of whom only a checkpoint told: from now on we know who it is. */
  private void adopt(GuestContainer container) {
    try {
      Guest guest = new Guest(container, GuestRequest.of(container));
      CpuSet own = books.node().cpusOf(guest.uid(), container.name()).orElse(CpuSet.EMPTY);
      if (own.size() != guest.exclusiveCpus()) {
        books.removed(guest.uid());
      } else if (guests.admit(guest, false) instanceof Verdict.In) {
        guests.settle(guest, container);
        tellSeat("adopted", guest);
      }
    } catch (InvalidInputException e) {
      events.add("failed", container.title(), e.line());
    }
  }

  /** One that had its place before. */
  private void welcome(Listed one) {
    Guest guest = guests.residents().get(one.container().uid()).orElseThrow();
    guests.settle(guest, one.container());
    if (one.running()) {
      ProcessId.of(one.pid()).ifPresent(guest::runs);
    } else {
      guest.stop();
    }
  }

  /** One that came without being asked for. */
  private void late(Listed one, String words) {
    if (!one.running()) {
      return;
    }
    try {
      GuestRequest request = GuestRequest.of(one.container());
      Guest guest = new Guest(one.container(), request);
      guests.residents().get(guest.uid()).ifPresent(guests::release);
      Verdict verdict = guests.admit(guest, false);
      guests.settle(guest, one.container());
      ProcessId.of(one.pid()).ifPresent(guest::runs);
      switch (verdict) {
        case Verdict.In in -> {
          in.why().ifPresent(guest::explain);
          request.unknown().forEach(line -> events.add("warning", guest.title(), line));
          tellSeat("admitted", guest);
        }
        case Verdict.Out out -> {
          out.why().ifPresent(guest::explain);
          String line = words + ": " + out.message();
          guest.displaced(Optional.of(line));
          events.add("displaced", guest.title(), line);
        }
      }
    } catch (InvalidInputException e) {
      events.add("failed", one.container().title(), e.line());
    }
  }

  /** There may be room for those who are owed CPUs of their own. */
  void offerRoom() {
    for (Guest guest : guests.residents().all()) {
      if (guest.displaced().isPresent()
          && !guest.placed().isEmpty()
          && mayFit(guest)
          && guests.admit(guest, false) instanceof Verdict.In in) {
        in.why().ifPresent(guest::explain);
        guest.displaced(Optional.empty());
        tellSeat("admitted", guest);
      }
    }
  }

  /** Whether asking the engine again could be of use. */
  private boolean mayFit(Guest guest) {
    return guest.exclusiveCpus() <= books.node().assignable().size();
  }

  private void tellSeat(String kind, Guest guest) {
    events.add(kind, guest.title(), Descriptions.seats(guests.seating(), guest));
  }
}
