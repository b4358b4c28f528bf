package dev.berth.agent;

import dev.berth.cgroup.Placement;
import dev.berth.cpu.CpuSet;
import dev.berth.linux.ProcessId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the runtime has been told of its containers, and what it still has to be. On the loop only.
 *
 * <p>A runtime does one thing at a time. An update that we send while it asks us about a new
 * container is carried out after our answer, although it was decided before. So once an update has
 * landed, it counts as what was told last, and what has changed since is sent after it at once,
 * long before the new container's first instruction. One that is being created cannot be told
 * anything until the runtime knows it; a few milliseconds later it can, but nobody says when, short
 * of a call that would cost every creation half a millisecond. So it is told at once, again after a
 * moment, and when it runs.
 */
final class Notices {
  private static final long RETRY = 1_000;

  /** By then a runtime knows one that it was about to create, as a rule. */
  private static final long CREATED = 20;

  private final GuestList guests;
  private final RuntimeLink link;
  private final Loop loop;
  private final Events events;
  private final Metrics metrics;
  private final Placement.Finder finder = Placement.Finder.here();
  private final Map<String, Place> told = new HashMap<>();
  private final Map<String, Path> groups = new HashMap<>();
  private final Set<String> doubtful = new HashSet<>();
  private final Set<String> recent = new HashSet<>();

  /** Containers that were not where they belong at the last look. */
  private final Set<String> astray = new HashSet<>();

  /** By container, the foreign group in which its first process was seen. */
  private final Map<String, Path> strayed = new HashMap<>();

  private final Map<String, Place> fresh = new HashMap<>();

  /** Those that get all CPUs back, since CPUs are not managed any more. */
  private final Set<String> releasing = new HashSet<>();

  private boolean flying;
  private String lastFault = "";

  Notices(GuestList guests, RuntimeLink link, Loop loop, Events events, Metrics metrics) {
    this.guests = guests;
    this.link = link;
    this.loop = loop;
    this.events = events;
    this.metrics = metrics;
  }

  /** Where a guest is to be. */
  Place place(Guest guest) {
    return place(guest, guests.seating());
  }

  private Place place(Guest guest, Seating now) {
    String name = guest.container().name();
    Seating.Seat seat = now.seat(guest.request(), name);
    return new Place(
        guest.id(),
        now.managesCpus() || releasing.contains(guest.uid())
            ? Optional.of(seat.cpus())
            : Optional.empty(),
        now.ownMems(guest.uid(), name),
        quota(guest, seat.exclusive()),
        seat.exclusive());
  }

  /** One that has CPUs of its own needs no quota; one that has lost them gets back what it had. */
  private OptionalLong quota(Guest guest, boolean exclusive) {
    if (exclusive) {
      return OptionalLong.of(-1);
    }
    Place before = told.get(guest.id());
    boolean changed = before != null && before.quota().isPresent();
    long own = guest.container().allowance().quota();
    return changed ? OptionalLong.of(own > 0 ? own : -1) : OptionalLong.empty();
  }

  /** Containers that were confined by an agent before, under another policy, get all CPUs back. */
  void release(Collection<String> uids) {
    releasing.addAll(uids);
  }

  /**
   * Looks whether they have all CPUs by now, and tells of them once.
   *
   * @return whether some were to be told
   */
  boolean tellReleased() {
    if (releasing.isEmpty() || flying) {
      return false;
    }
    List<String> narrow = new ArrayList<>();
    int wide = 0;
    for (Guest guest : guests.residents().all()) {
      if (releasing.contains(guest.uid()) && !guest.placed().isEmpty()) {
        Optional<Placement> real = group(guest).flatMap(Placement::read);
        CpuSet all = guests.seating().common();
        if (real.isPresent() && !all.isSubsetOf(real.get().cpus())) {
          narrow.add(guest.label() + " (" + real.get().cpus() + ")");
        } else {
          wide++;
        }
      }
    }
    events.add(narrow.isEmpty() ? "released" : "failed", "", Descriptions.released(wide, narrow));
    return true;
  }

  /** The runtime knows this, or is about to. */
  void told(Place place) {
    told.put(place.id(), place);
    recent.add(place.id());
  }

  /**
   * A container is about to be created in this place. The runtime does not know it by its id yet:
   * what it is told of it meanwhile is lost, and nobody says so.
   */
  void creating(Place place) {
    told(place);
    fresh.put(place.id(), place);
  }

  /** A container runs, perhaps as it was created: what has changed since is told once more. */
  void runs(Guest guest) {
    Place created = fresh.remove(guest.id());
    if (created != null) {
      told.put(guest.id(), created);
    }
    check(guest);
  }

  /** A container is gone. */
  void forget(String id) {
    told.remove(id);
    groups.remove(id);
    recent.remove(id);
    fresh.remove(id);
    astray.remove(id);
    strayed.remove(id);
  }

  /**
   * The containers that are still on some CPUs although they were told to leave them, by their
   * titles; looked at now.
   */
  List<String> stillOn(CpuSet cpus, String exceptUid) {
    List<String> titles = new ArrayList<>();
    for (String id : astray) {
      guests
          .byId(id)
          .filter(guest -> !guest.uid().equals(exceptUid) && !guest.placed().isEmpty())
          .filter(guest ->
              group(guest)
                  .flatMap(Placement::read)
                  .filter(real -> real.cpus().intersects(cpus))
                  .isPresent())
          .ifPresent(guest -> titles.add(guest.label()));
    }
    return titles;
  }

  int known() {
    return told.size();
  }

  /** Nothing is known of what the runtime was told. */
  void forgetAll() {
    told.clear();
    fresh.clear();
  }

  /**
   * What the runtime has to be told now. First those who were never confined, for they run on
   * everybody's CPUs until they are; then those who share, since what they lose may be what others
   * get; then owners.
   */
  List<Place> due() {
    Seating now = guests.seating();
    List<Place> due = new ArrayList<>();
    List<Place> sharing = new ArrayList<>();
    List<Place> owning = new ArrayList<>();
    for (Guest guest : guests.residents().all()) {
      if (guest.placed().isEmpty()) {
        continue;
      }
      Place place = place(guest, now);
      if (!place.isEmpty() && !isTold(place)) {
        (isUnconfined(place.id()) ? due : place.exclusive() ? owning : sharing).add(place);
      }
    }
    due.addAll(sharing);
    due.addAll(owning);
    return due;
  }

  private boolean isUnconfined(String id) {
    Place before = told.get(id);
    return before != null && before.cpus().isEmpty();
  }

  private boolean isTold(Place place) {
    @Nullable Place before = told.get(place.id());
    return before != null
        && before.cpus().equals(place.cpus())
        && (place.mems().isEmpty() || before.mems().equals(place.mems()))
        && (place.quota().isEmpty() || before.quota().equals(place.quota()));
  }

  /** The same as part of an answer to the runtime, which carries it out before anything else. */
  List<Place> answer() {
    List<Place> due = due();
    due.forEach(this::told);
    if (due.stream().anyMatch(place -> fresh.containsKey(place.id()))) {
      loop.afterwards(() -> {
        var _ = loop.schedule(this::sendAgain, CREATED);
      });
    }
    return due;
  }

  /** Tells those again who may not have been known to the runtime when they were told. */
  private void sendAgain() {
    told.putAll(fresh);
    send();
  }

  /** Tells the runtime what it has to be told, as soon as it can listen. */
  void send() {
    List<Place> due = flying || link.unready().isPresent() ? List.of() : due();
    if (!due.isEmpty()) {
      flying = true;
      var _ =
          link.update(due)
              .whenComplete((failed, fault) -> loop.submit(() -> landed(due, failed, fault)));
    }
  }

  private void landed(List<Place> sent, @Nullable Set<String> failed, @Nullable Throwable fault) {
    flying = false;
    int done = 0;
    for (Place place : sent) {
      if (fault != null || failed == null || failed.contains(place.id())) {
        told.remove(place.id());
        astray.add(place.id());
      } else {
        done++;
        // Somebody may have left meanwhile.
        guests.byId(place.id()).ifPresent(_ -> told(place));
      }
    }
    metrics.runtime().updated(done, sent.size() - done);
    checkDoubtful();
    if (fault != null) {
      complain("the runtime could not be told where containers are to be: " + fault.getMessage());
    } else if (failed != null && !failed.isEmpty()) {
      complain("the runtime could not move " + String.join(", ", failed));
    } else {
      lastFault = "";
      send();
      return;
    }
    var _ = loop.schedule(this::send, RETRY);
  }

  /** The same again and again is told once. */
  private void complain(String line) {
    if (!line.equals(lastFault)) {
      events.add("failed", "", line);
      lastFault = line;
    }
  }

  /** Looks where containers really are; how many are not where the runtime was told. */
  int check() {
    if (flying) {
      return 0;
    }
    Seating now = guests.seating();
    int moved = 0;
    for (Guest guest : guests.residents().all()) {
      moved += isMoved(guest, now) ? 1 : 0;
    }
    return moved;
  }

  /**
   * Looks where those are of whom the runtime was told something since the last time.
   *
   * @return whether that could be done: not while they are being moved
   */
  boolean checkRecent() {
    if (flying) {
      return false;
    }
    Seating now = guests.seating();
    recent.forEach(id -> guests.byId(id).ifPresent(guest -> isMoved(guest, now)));
    recent.clear();
    return true;
  }

  /** Looks where one container really is; where somebody is being moved, once that is done. */
  private void check(Guest guest) {
    if (flying) {
      doubtful.add(guest.id());
    } else {
      isMoved(guest, guests.seating());
    }
  }

  private void checkDoubtful() {
    Seating now = guests.seating();
    doubtful.forEach(id -> guests.byId(id).ifPresent(guest -> isMoved(guest, now)));
    doubtful.clear();
  }

  /** Whether a container is not where the runtime was told; then it is told again. */
  private boolean isMoved(Guest guest, Seating now) {
    if (guest.placed().isEmpty() || !told.containsKey(guest.id())) {
      return false;
    }
    Place place = place(guest, now);
    Optional<Placement> real = group(guest).flatMap(Placement::read);
    boolean there = real.isEmpty() || (isAt(place, real.get()) && isFree(place, guest.process()));
    if (there) {
      astray.remove(guest.id());
    }
    boolean moved = !there && isTold(place);
    if (moved) {
      told.remove(guest.id());
      astray.add(guest.id());
    }
    return moved;
  }

  /** Where the kernel has a container that runs. */
  Optional<CpuSet> actual(Guest guest) {
    return group(guest).flatMap(Placement::read).map(Placement::cpus);
  }

  private Optional<Path> group(Guest guest) {
    Optional<Path> now = guest.process().flatMap(process -> finder.group(process.pid()));
    Path before = groups.get(guest.id());
    if (before != null && now.isPresent() && !now.get().equals(before)) {
      tellStrayed(guest, before, now.get());
      return Optional.empty();
    }
    strayed.remove(guest.id());
    if (!groups.containsKey(guest.id())) {
      guest
          .process()
          .flatMap(process -> finder.group(process.pid()))
          .ifPresent(group -> groups.put(guest.id(), group));
    }
    return guest.process().isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(groups.get(guest.id()));
  }

  /** Its runtime moves no process between groups, so this is told and left. */
  private void tellStrayed(Guest guest, Path group, Path other) {
    if (!other.equals(strayed.put(guest.id(), other))) {
      events.add(
          "failed",
          guest.title(),
          guest.container().name()
              + ": its first process is in cgroup "
              + other
              + " instead of "
              + group
              + ", so it may run on other CPUs than its own");
    }
  }

  private static boolean isAt(Place place, Placement real) {
    return place.cpus().filter(cpus -> !cpus.equals(real.cpus())).isEmpty()
        && place.mems().filter(mems -> !mems.equals(real.mems())).isEmpty();
  }

  /** Whether nobody has limited one that has CPUs of its own. */
  private boolean isFree(Place place, Optional<ProcessId> process) {
    OptionalLong quota =
        place.exclusive() && process.isPresent()
            ? finder.quota(process.get().pid())
            : OptionalLong.empty();
    return quota.isEmpty() || quota.getAsLong() == place.quota().orElse(quota.getAsLong());
  }
}
