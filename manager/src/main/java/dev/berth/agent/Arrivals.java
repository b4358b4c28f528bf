package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestRequest;
import dev.berth.workload.Pod;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Decides on containers of another runtime: on each before it is created, and on all that are there
 * when the runtime is met again. On the loop only.
 */
final class Arrivals {
  /** Refused ones stay visible, the latest of them. */
  private static final int MOST_REFUSED = 200;

  /** Some fifty times what a Kubernetes node has; each costs memory and a line on the disk. */
  private static final int MOST = 6_000;

  /** What becomes of a container that is about to be created. */
  sealed interface Answer {
    /**
     * It gets a place.
     *
     * @param place where it is to be
     * @param others who has to move before it starts
     * @param pod what it asks for
     * @param devices the ids of its devices, by resource
     */
    record Placed(Place place, List<Place> others, Pod pod, SortedMap<String, List<String>> devices)
        implements Answer {}

    /**
     * It must not start.
     *
     * @param line why
     */
    record Refused(String line) implements Answer {}
  }

  private final GuestList guests;
  private final Books books;
  private final Loop loop;
  private final Events events;
  private final Metrics metrics;

  Arrivals(GuestList guests, Books books, Loop loop, Events events, Metrics metrics) {
    this.guests = guests;
    this.books = books;
    this.loop = loop;
    this.events = events;
    this.metrics = metrics;
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
      long took = System.nanoTime() - began;
      loop.afterwards(() -> metrics.answered(took));
    }
  }

  private Answer decide(GuestContainer container) {
    GuestRequest request = GuestRequest.of(container);
    Optional<Guest> before = guests.residents().get(container.uid());
    if (before.isPresent() && before.get().asksTheSame(request)) {
      before.get().attempting();
      return placed(before.get(), container);
    }
    if (before.isEmpty() && guests.residents().all().size() >= MOST) {
      throw new InvalidInputException(
          "containers: expected at most " + MOST + " at a time, found another");
    }
    before.ifPresent(guests::release);
    boolean free = before.isPresent() || guests.makeWay(container.podUid());
    Answer answer = decide(new Guest(container, request), container, request);
    if (free) {
      loop.afterwards(this::offerWhatIsLeft);
    }
    return answer;
  }

  private Answer decide(Guest guest, GuestContainer container, GuestRequest request) {
    return switch (guests.admit(guest, true)) {
      case Verdict.Out out -> refused(guest, out);
      case Verdict.In in -> {
        Optional<Verdict.Out> inUse = inUse(guest);
        if (inUse.isPresent()) {
          guests.release(guest);
          yield refused(guest, inUse.get());
        }
        in.why().ifPresent(guest::explain);
        Answer answer = placed(guest, container);
        loop.afterwards(() -> tell(guest, request));
        yield answer;
      }
    };
  }

  /** A CPU is handed out only after every other container has left it. */
  private Optional<Verdict.Out> inUse(Guest guest) {
    CpuSet own = books.node().cpusOf(guest.uid(), guest.container().name()).orElse(CpuSet.EMPTY);
    List<String> others = own.isEmpty() ? List.of() : guests.notices().stillOn(own, guest.uid());
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Verdict.Out(
                "CpusInUse",
                "CPUs "
                    + own
                    + " are free, but the runtime could not move "
                    + String.join(", ", others)
                    + " off them yet",
                Optional.empty()));
  }

  private void tell(Guest guest, GuestRequest request) {
    request.unknown().forEach(line -> events.add("warning", guest.title(), line));
    guests.tellSeat("admitted", guest);
    Descriptions.surprise(guests.seating(), guest.request(), false)
        .ifPresent(line -> events.add("warning", guest.title(), line));
  }

  private Answer placed(Guest guest, GuestContainer attempt) {
    guests.settle(guest, attempt);
    Place place = guests.notices().place(guest);
    guests.notices().creating(place);
    return new Answer.Placed(
        place,
        guests.notices().answer(),
        guest.request(),
        books.node().deviceAssignments().of(guest.uid(), attempt.name()));
  }

  private Answer refused(Guest guest, Verdict.Out out) {
    String line = out.reason() + ": " + out.message();
    guest.refuse(line);
    out.why().ifPresent(guest::explain);
    books.chronicle().refused(guest, out, books.node());
    keepVisible(guest, line);
    String holders =
        out.why().isPresent()
            ? Descriptions.holders(guests.residents().all(), guests.seating())
            : "";
    return new Answer.Refused(
        guest.title() + "/" + guest.container().name() + ": " + line + holders);
  }

  private void keepVisible(Guest guest, String line) {
    guests.keepVisible(guest);
    events.add("refused", guest.title(), line);
    List<Guest> over =
        guests.residents().all().stream().filter(r -> r.life().phase().isOver()).toList();
    over.subList(0, Math.max(0, over.size() - MOST_REFUSED)).forEach(guests::release);
  }

  /**
   * An attempt at a container that was given a place cannot have its devices: it must not start.
   * Who had them before keeps them for the next attempt.
   */
  void unhanded(GuestContainer attempt, String line) {
    Optional<Guest> found = guests.byId(attempt.id());
    if (found.isEmpty()) {
      return;
    }
    Guest guest = found.get();
    if (guest.earlierId().isPresent()) {
      guests.takeBack(guest);
      events.add("refused", guest.title(), line);
      return;
    }
    guests.release(guest);
    books
        .chronicle()
        .refused(
            guest,
            new Verdict.Out("UnexpectedAdmissionError", line, Optional.empty()),
            books.node());
    guest.refuse(line);
    keepVisible(guest, line);
  }

  /** The one that has come may want less than those had who made way for it. */
  private void offerWhatIsLeft() {
    offerRoom();
    guests.notices().send();
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
        guests.tellSeat("admitted", guest);
      }
    }
  }

  /** Whether asking the engine again could be of use. */
  private boolean mayFit(Guest guest) {
    return guest.exclusiveCpus() <= books.node().assignable().size();
  }
}
