package dev.berth.agent;

import dev.berth.agent.Arrivals.Answer;
import dev.berth.agent.Reunion.Listed;
import dev.berth.agent.found.FoundGroups;
import dev.berth.agent.found.KernelHoldings;
import dev.berth.agent.found.UnknownContainer;
import dev.berth.agent.state.PodRecord;
import dev.berth.agent.state.Recovered;
import dev.berth.agent.state.Standing;
import dev.berth.cgroup.Changes;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.explain.Objections;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestRequest;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.Holding;
import dev.berth.linux.ProcessId;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
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
  /** How soon the runtime's word is checked, for it keeps failures to itself. */
  private static final long CHECK = 250;

  private static final String STATIC = CpuPolicy.STATIC.kubernetesName();

  private final Books books;
  private final Events events;
  private final Metrics metrics;
  private final Loop loop;
  private final Wishes wishes;
  private final RuntimeLink link;
  private final GuestList list;
  private final Arrivals arrivals;
  private final Reunion reunion;
  private boolean checking;
  private boolean releasing;

  /**
   * Nobody yet.
   *
   * @param unknown the uids of those who have something of whom nothing else is known
   * @param hold goes on with other holdings, by uid
   * @param linking makes the connection to the runtime
   */
  Guests(
      Books books,
      PluginDevices plugins,
      Events events,
      Metrics metrics,
      Loop loop,
      Wishes wishes,
      Supplier<Set<String>> unknown,
      Consumer<SortedMap<String, Holding>> hold,
      Function<Guests, RuntimeLink> linking) {
    this.books = books;
    this.events = events;
    this.metrics = metrics;
    this.loop = loop;
    this.wishes = wishes;
    link = linking.apply(this);
    list =
        new GuestList(
            books,
            plugins,
            events,
            loop,
            guests -> new Notices(guests, link, loop, events, metrics));
    arrivals = new Arrivals(list, books, loop, events, metrics);
    reunion = new Reunion(list, books, events, metrics, unknown, hold);
  }

  @Override
  public void check(Recovered recovered) {
    List<String> own =
        recovered.pods().stream()
            .map(PodRecord::uid)
            .filter(uid -> uid.indexOf(GuestContainer.SEPARATOR) < 0)
            .toList();
    if (!own.isEmpty()) {
      throw new InvalidInputException(
          "state folder: expected containers of a runtime, found pods that Berth started itself ("
              + String.join(", ", own)
              + "); remove them first, or give another --state");
    }
  }

  @Override
  public void recover(
      Recovered recovered, boolean sameBoot, KernelHoldings kernel, FoundGroups found) {
    if (!list.seating().managesCpus() && recovered.policy().filter(STATIC::equals).isPresent()) {
      list.notices().release(recovered.pods().stream().map(PodRecord::uid).toList());
      releasing = true;
    }
    for (PodRecord record : recovered.pods()) {
      try {
        GuestContainer container = GuestText.read("state of " + record.uid(), record.spec());
        Guest guest = new Guest(container, new GuestRequest(record.pod(), List.of()));
        guest.displaced(record.displaced());
        if (record.standing() instanceof Standing.Refused refused) {
          guest.refuse(refused.reason());
          list.keepVisible(guest);
        } else {
          list.settle(guest, container);
        }
      } catch (InvalidInputException e) {
        events.add("failed", record.uid(), e.line());
      }
    }
  }

  @Override
  public void begin() {
    fulfil();
    link.begin();
  }

  @Override
  public Residents<Guest> residents() {
    return list.residents();
  }

  @Override
  public Objections objections(Pod pod) {
    return books.objections(pod, list.residents().anyShares(list.seating()));
  }

  @Override
  public List<String> remarks(Pod pod) {
    return pod.containers().size() == 1
        ? List.of()
        : List.of(
            "its containers are tried together here; a runtime asks for one after the other, each"
                + " counts by itself, and of a pod that does not fit the first may be in already");
  }

  @Override
  public Seating seating() {
    return list.seating();
  }

  /** A container is about to be created. */
  Answer create(GuestContainer container) {
    Answer answer = arrivals.create(container);
    fulfil();
    checkSoon();
    return answer;
  }

  /** A container that was given a place cannot have its devices. */
  void unhanded(GuestContainer attempt, String line) {
    arrivals.unhanded(attempt, line);
    roomMade();
  }

  /** All that the runtime has now; what it has to be told. */
  List<Place> synchronize(Listing all) {
    reunion.synchronize(all, Reunion.UNSEEN);
    arrivals.offerRoom();
    fulfil();
    checkSoon();
    return list.notices().answer();
  }

  /** All that a runtime has now which could not ask us; it is told what it has to be. */
  void found(List<Listed> all) {
    reunion.synchronize(Listing.of(all), Reunion.UNASKED);
    arrivals.offerRoom();
    tell();
  }

  /** A container has come from a runtime that could not ask us. */
  void arrived(Listed one) {
    reunion.arrive(one);
    arrivals.offerRoom();
    tell();
  }

  private void tell() {
    list.notices().send();
    fulfil();
    checkSoon();
  }

  /** Everybody has of their own CPUs what they wish; nobody's answer waits for that. */
  private void fulfil() {
    loop.afterwards(() -> wishes.keep(list.seating(), list.residents().all()));
  }

  /**
   * A container is about to be changed for somebody else: what must stay as it is.
   *
   * @param quota the quota that it is to have from now on; 0 where nothing is said of it
   */
  Optional<Place> changing(String id, long quota) {
    Optional<Guest> guest = list.byId(id).filter(one -> !one.placed().isEmpty());
    if (quota != 0 && guest.isPresent()) {
      resized(guest.get(), quota);
    }
    Optional<Place> place = guest.map(list.notices()::place);
    place.ifPresent(list.notices()::told);
    checkSoon();
    return place.filter(p -> !p.isEmpty());
  }

  private void resized(Guest guest, long quota) {
    boolean other = guest.container().allowance().quota() != quota;
    guest.resized(quota);
    if (other && guest.exclusiveCpus() > 0) {
      events.add(
          "warning",
          guest.title(),
          guest.container().name()
              + ": its limit was changed; CPUs of its own stay as they are until it is created"
              + " anew");
    }
  }

  /** A container runs, with this first process. */
  void runs(String id, long pid) {
    list.byId(id)
        .ifPresent(guest -> {
          guest.forgetEarlier();
          ProcessId.of(pid).ifPresent(guest::runs);
          list.notices().runs(guest);
        });
    tell();
  }

  /**
   * A container has stopped. It may be started again as another attempt.
   *
   * @param code how it ended, where that is known
   */
  void stopped(String id, OptionalInt code) {
    list.byId(id).ifPresent(guest -> guest.stop(code));
    fulfil();
  }

  /**
   * A container is gone. So a runtime also takes back an attempt that it could not create; where
   * the one before is there still, the guest stays.
   */
  void removed(String id) {
    list.byId(id).ifPresent(this::gone);
    list.forgetEarlier(guest -> guest.earlierId().filter(id::equals).isPresent());
  }

  private void gone(Guest guest) {
    if (guest.earlierId().isPresent()) {
      list.takeBack(guest);
      return;
    }
    list.release(guest);
    events.add("finished", guest.title(), guest.container().name() + " removed");
    roomMade();
  }

  /** A sandbox has stopped or is gone, with all its containers. */
  void sandboxOver(String sandbox, String podUid) {
    List<Guest> all = list.ofSandbox(sandbox);
    all.forEach(list::release);
    list.forgetEarlier(guest -> guest.earlierSandbox().filter(sandbox::equals).isPresent());
    if (list.ofPod(podUid).isEmpty()) {
      reunion.podOver(podUid);
    }
    if (!all.isEmpty()) {
      events.add("finished", all.getFirst().title(), "its pod has stopped");
      roomMade();
    }
  }

  @Override
  public void roomMade() {
    arrivals.offerRoom();
    tell();
  }

  /** What the runtime has still to be told. */
  List<Place> owed() {
    return list.notices().due();
  }

  /** Of how many containers it is known what the runtime was told. */
  int known() {
    return list.notices().known();
  }

  /** Has the runtime's word checked in a moment. */
  void checkSoon() {
    if (!checking) {
      checking = true;
      loop.afterwards(() -> {
        var _ = loop.schedule(this::checkNow, CHECK);
      });
    }
  }

  private void checkNow() {
    checking = false;
    if (!list.notices().checkRecent()) {
      checkSoon();
    }
    list.notices().send();
    if (releasing && link.unready().isEmpty()) {
      releasing = !list.notices().tellReleased();
    }
  }

  private int repair() {
    int moved = list.notices().check();
    list.notices().send();
    return moved;
  }

  @Override
  public void look() {
    books.write();
    books.catchUp();
    link.look();
  }

  /** Its runtime names every container. */
  @Override
  public void survey() {}

  @Override
  public List<UnknownContainer> unknown() {
    return List.of();
  }

  @Override
  public Optional<CompletableFuture<Boolean>> endUnknown(String uid) {
    return Optional.empty();
  }

  @Override
  public List<String> concerns() {
    return List.of();
  }

  @Override
  public Changes reconcile() {
    int moved = repair();
    Changes changes = new Changes(0, moved, moved, List.of());
    metrics.groups(changes);
    return changes.withRepaired(wishes.check(list.seating(), list.residents().all()));
  }

  @Override
  public void resettle() {
    tell();
  }

  @Override
  public void measure() {
    metrics.runtime().connected(link.unready().isEmpty());
  }

  @Override
  public Optional<String> unready() {
    return link.unready();
  }

  /** A container that runs is its runtime's to remove; one that was refused is only a line here. */
  @Override
  public Optional<CompletableFuture<Boolean>> remove(String name) {
    List<Guest> found =
        residents()
            .get(name)
            .map(List::of)
            .orElseGet(
                () -> residents().all().stream().filter(guest -> guest.isCalled(name)).toList());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    List<Guest> refused = found.stream().filter(Guest::isRefused).toList();
    if (refused.isEmpty()) {
      throw new InvalidInputException(
          "pod " + name + ": expected its runtime to remove it, which has started it");
    }
    refused.forEach(list::release);
    return Optional.of(CompletableFuture.completedFuture(true));
  }

  @Override
  public Optional<CpuSet> actual(Resident resident, ContainerLife container) {
    return residents()
        .get(resident.uid())
        .filter(guest -> !guest.placed().isEmpty())
        .flatMap(list.notices()::actual);
  }

  /** A runtime puts processes of its own into a container, such as those of an exec. */
  @Override
  public Set<ProcessId> foreign(Resident resident, ContainerLife container) {
    return Set.of();
  }

  @Override
  public Optional<ProcessId> processOf(Resident resident, ContainerLife container) {
    return residents().get(resident.uid()).flatMap(Guest::process);
  }

  @Override
  public List<String> groups() {
    return List.of();
  }

  @Override
  public boolean holds(CpuWish wish, CpuSet cpus) {
    return wishes.hold(wish, cpus);
  }

  @Override
  public String caution() {
    return wishes.caution();
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
