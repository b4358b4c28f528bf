package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.PodLife.Phase;
import dev.berth.agent.state.PodRecord;
import dev.berth.agent.state.Recovered;
import dev.berth.agent.state.Standing;
import dev.berth.cgroup.Changes;
import dev.berth.cpu.InvalidInputException;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestRequest;
import dev.berth.linux.ProcessId;
import dev.berth.workload.Container;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Containers of another runtime: each gets its place before it starts, and keeps it until it is
 * removed or its pod stops. On the loop only.
 *
 * <p>One that came while nobody looked gets CPUs of its own as soon as there are some; until then
 * it shares, and is marked as one that is owed some.
 */
final class Guests implements Household {
  /** Refused ones stay visible, the latest of them. */
  private static final int MOST_REFUSED = 200;

  /** How soon the runtime's word is checked, for it keeps failures to itself. */
  private static final long CHECK = 250;

  /** What becomes of a container that is about to be created. */
  sealed interface Answer {
    /**
     * It gets a place.
     *
     * @param place where it is to be
     * @param others who has to move before it starts
     */
    record Placed(Place place, List<Place> others) implements Answer {}

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

  private final Books books;
  private final Events events;
  private final Metrics metrics;
  private final Loop loop;
  private final RuntimeLink link;
  private final Supplier<Set<String>> unknown;
  private final Residents<Guest> residents = new Residents<>();
  private final Map<String, String> byId = new HashMap<>();
  private final Notices notices;
  private boolean checking;

  /**
   * Nobody yet.
   *
   * @param unknown the uids of those who have something of whom nothing else is known
   * @param linking makes the connection to the runtime
   */
  Guests(
      Books books,
      Events events,
      Metrics metrics,
      Loop loop,
      Supplier<Set<String>> unknown,
      Function<Guests, RuntimeLink> linking) {
    this.books = books;
    this.events = events;
    this.metrics = metrics;
    this.loop = loop;
    this.unknown = unknown;
    link = linking.apply(this);
    notices = new Notices(residents, this::seating, link, loop, events);
  }

  Notices notices() {
    return notices;
  }

  @Override
  public void check() {}

  @Override
  public void recover(Recovered recovered, boolean sameBoot) {
    for (PodRecord record : recovered.pods()) {
      try {
        GuestContainer container = GuestText.read("state of " + record.uid(), record.spec());
        Guest guest = new Guest(container, new GuestRequest(record.pod(), List.of()));
        guest.displaced(record.displaced());
        if (record.standing() instanceof Standing.Refused refused) {
          guest.life().over(Phase.FAILED, refused.reason());
        } else {
          guest.begin(container, Loop.milliseconds());
          byId.put(container.id(), guest.uid());
        }
        residents.put(guest);
      } catch (InvalidInputException e) {
        events.add("failed", record.uid(), e.line());
      }
    }
  }

  @Override
  public void begin() {
    link.begin();
  }

  @Override
  public Residents<Guest> residents() {
    return residents;
  }

  @Override
  public Seating seating() {
    return Seating.of(books.node(), false);
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
    Optional<Guest> before = residents.get(container.uid());
    if (before.isPresent() && isSame(before.get(), request)) {
      return placed(before.get(), container);
    }
    before.ifPresent(this::release);
    if (before.isEmpty()) {
      makeWay(container.podUid());
    }
    Guest guest = new Guest(container, request);
    return switch (admit(guest, true)) {
      case Verdict.Out out -> refused(guest, out);
      case Verdict.In in -> {
        in.why().ifPresent(guest::explain);
        residents.put(guest);
        request.unknown().forEach(line -> events.add("warning", guest.title(), line));
        Answer answer = placed(guest, container);
        events.add("admitted", guest.title(), Descriptions.seats(seating(), guest));
        yield answer;
      }
    };
  }

  private static boolean isSame(Guest before, GuestRequest request) {
    return !before.life().phase().isOver()
        && before.displaced().isEmpty()
        && before.request().containers().equals(request.pod().containers());
  }

  private Verdict admit(Guest guest, boolean visible) {
    return books.admit(
        guest.request(),
        GuestText.write(guest.container()),
        visible,
        residents.anyShares(seating()));
  }

  private Answer placed(Guest guest, GuestContainer attempt) {
    byId.remove(guest.id());
    notices.forget(guest.id());
    byId.put(attempt.id(), guest.uid());
    guest.begin(attempt, Loop.milliseconds());
    Place place = notices.place(guest);
    notices.told(place);
    List<Place> others = notices.answer();
    checkSoon();
    return new Answer.Placed(place, others);
  }

  /**
   * The containers of its pod that have stopped by the first coming of another one: init
   * containers, as a rule, which nobody removes before the pod.
   */
  private void makeWay(String podUid) {
    residents.copy().stream()
        .filter(other -> other.isStopped() && other.container().podUid().equals(podUid))
        .forEach(this::release);
  }

  private Answer refused(Guest guest, Verdict.Out out) {
    String line = out.reason() + ": " + out.message();
    guest.life().over(Phase.FAILED, line);
    out.why().ifPresent(guest::explain);
    residents.put(guest);
    events.add("refused", guest.title(), line);
    List<Guest> over = residents.all().stream().filter(r -> r.life().phase().isOver()).toList();
    over.subList(0, Math.max(0, over.size() - MOST_REFUSED)).forEach(this::release);
    return new Answer.Refused(
        guest.title() + "/" + guest.container().name() + ": " + line + holders(out));
  }

  /** Who has what the refused one would have needed. */
  private String holders(Verdict.Out out) {
    return out.why().map(why -> Descriptions.holders(residents.all(), seating())).orElse("");
  }

  /** Gives back all that a guest has, and forgets it. */
  private void release(Guest guest) {
    books.removed(guest.uid());
    residents.remove(guest.uid());
    byId.remove(guest.id());
    notices.forget(guest.id());
  }

  /** All that the runtime has now: who is not listed is gone, who is not known came meanwhile. */
  List<Place> synchronize(List<Listed> all) {
    notices.forgetAll();
    all.forEach(one -> notices.told(one.place()));
    Map<String, Listed> latest = new HashMap<>();
    all.forEach(one ->
        latest.merge(one.container().uid(), one, (a, b) -> b.running() || !a.running() ? b : a));
    for (Guest guest : residents.copy()) {
      if (!latest.containsKey(guest.uid()) && !guest.life().phase().isOver()) {
        events.add("gone", guest.title(), guest.container().name() + " left while nobody looked");
        release(guest);
      }
    }
    Set<String> holders = new LinkedHashSet<>(unknown.get());
    holders.stream().filter(uid -> !latest.containsKey(uid)).forEach(books::removed);
    List<Listed> owners = all.stream().filter(latest::containsValue).toList();
    owners.stream().filter(one -> isKnown(one, holders)).forEach(one -> welcome(one, holders));
    owners.stream().filter(one -> !isKnown(one, holders)).forEach(this::late);
    List<Place> due = notices.answer();
    checkSoon();
    return due;
  }

  private boolean isKnown(Listed one, Set<String> holders) {
    String uid = one.container().uid();
    return residents.get(uid).filter(guest -> !guest.life().phase().isOver()).isPresent()
        || holders.contains(uid);
  }

  /** One that had its place before. */
  private void welcome(Listed one, Set<String> holders) {
    GuestContainer container = one.container();
    if (residents.get(container.uid()).isEmpty() && holders.contains(container.uid())) {
      adopt(container);
    }
    residents
        .get(container.uid())
        .ifPresent(guest -> {
          byId.put(container.id(), guest.uid());
          guest.begin(container, Loop.milliseconds());
          if (one.running()) {
            ProcessId.of(one.pid()).ifPresent(guest::runs);
          } else {
            guest.stop();
          }
        });
  }

  /** Of whom only a checkpoint told: from now on we know who it is. */
  private void adopt(GuestContainer container) {
    GuestRequest request = GuestRequest.of(container);
    Container only = request.pod().containers().getFirst();
    int own =
        books.node().cpusOf(container.uid(), container.name()).map(cpus -> cpus.size()).orElse(0);
    if (own != request.pod().exclusiveCpus(only)) {
      books.removed(container.uid());
    }
    Guest guest = new Guest(container, request);
    if (admit(guest, false) instanceof Verdict.In) {
      residents.put(guest);
      events.add("adopted", guest.title(), Descriptions.seats(seating(), guest));
    }
  }

  /** One that came while nobody looked. */
  private void late(Listed one) {
    if (!one.running()) {
      return;
    }
    try {
      Guest guest = new Guest(one.container(), GuestRequest.of(one.container()));
      residents.get(guest.uid()).ifPresent(this::release);
      Verdict verdict = admit(guest, false);
      residents.put(guest);
      byId.put(guest.id(), guest.uid());
      guest.begin(one.container(), Loop.milliseconds());
      ProcessId.of(one.pid()).ifPresent(guest::runs);
      switch (verdict) {
        case Verdict.In in -> {
          in.why().ifPresent(guest::explain);
          events.add("admitted", guest.title(), Descriptions.seats(seating(), guest));
        }
        case Verdict.Out out -> {
          out.why().ifPresent(guest::explain);
          String line = "came while nobody looked, and shares: " + out.message();
          guest.displaced(Optional.of(line));
          events.add("displaced", guest.title(), line);
        }
      }
    } catch (InvalidInputException e) {
      events.add("failed", one.container().title(), e.line());
    }
  }

  /** A container is about to be changed for somebody else: what must stay as it is. */
  Optional<Place> changing(String id) {
    Optional<Place> place = byId(id).filter(g -> !g.placed().isEmpty()).map(notices::place);
    place.ifPresent(notices::told);
    checkSoon();
    return place.filter(p -> !p.isEmpty());
  }

  private Optional<Guest> byId(String id) {
    return Optional.ofNullable(byId.get(id)).flatMap(residents::get);
  }

  /** A container runs, with this first process. */
  void started(String id, long pid) {
    byId(id).ifPresent(guest -> ProcessId.of(pid).ifPresent(guest::runs));
  }

  /** A container has stopped. It may be started again as another attempt. */
  void stopped(String id) {
    byId(id).ifPresent(Guest::stop);
  }

  /** A container is gone. */
  void removed(String id) {
    byId(id)
        .ifPresent(guest -> {
          release(guest);
          events.add("finished", guest.title(), guest.container().name() + " removed");
          roomMade();
        });
  }

  /** A pod has stopped or is gone, with all its containers. */
  void podOver(String podUid) {
    List<Guest> all =
        residents.all().stream().filter(g -> g.container().podUid().equals(podUid)).toList();
    all.forEach(this::release);
    if (!all.isEmpty()) {
      events.add("finished", all.getFirst().title(), "its pod has stopped");
      roomMade();
    }
  }

  @Override
  public void roomMade() {
    for (Guest guest : residents.all()) {
      if (guest.displaced().isPresent() && !guest.placed().isEmpty() && mayFit(guest)) {
        if (admit(guest, false) instanceof Verdict.In in) {
          in.why().ifPresent(guest::explain);
          guest.displaced(Optional.empty());
          events.add("admitted", guest.title(), Descriptions.seats(seating(), guest));
        }
      }
    }
    notices.send();
  }

  /** Whether asking the engine again could be of use. */
  private boolean mayFit(Guest guest) {
    int wanted = guest.request().exclusiveCpus(guest.request().containers().getFirst());
    int free = books.node().assignable().size() - books.node().exclusive().size();
    return wanted <= free;
  }

  /** Has the runtime's word checked in a moment. */
  void checkSoon() {
    if (!checking) {
      checking = true;
      var _ =
          loop.schedule(
              () -> {
                checking = false;
                repair();
              },
              CHECK);
    }
  }

  private int repair() {
    int moved = notices.check();
    notices.send();
    return moved;
  }

  @Override
  public void look() {
    books.write();
  }

  @Override
  public Changes reconcile() {
    int moved = repair();
    Changes changes = new Changes(0, moved, moved, List.of());
    metrics.groups(changes);
    return changes;
  }

  @Override
  public void resettle() {
    notices.send();
  }

  @Override
  public Optional<String> unready() {
    return link.unready();
  }

  @Override
  public Optional<CompletableFuture<Boolean>> remove(String name) {
    if (residents.find(name).isPresent()) {
      throw new InvalidInputException(
          "pod " + name + ": expected its runtime to remove it, for that has started it");
    }
    return Optional.empty();
  }

  @Override
  public Optional<ProcessId> processOf(Resident resident, ContainerLife container) {
    return residents.get(resident.uid()).flatMap(Guest::process);
  }

  @Override
  public List<String> groups() {
    return List.of();
  }

  @Override
  public String caution() {
    return "";
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public void closeDoors() throws IOException {
    link.close();
  }

  @Override
  public void endThreads() {}

  @Override
  public void close() {}
}
