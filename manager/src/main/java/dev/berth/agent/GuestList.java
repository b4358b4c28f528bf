package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The containers of another runtime that are there, by all their names. On the loop only. */
final class GuestList {
  private final Books books;
  private final PluginDevices plugins;
  private final Events events;
  private final Loop loop;
  private final Residents<Guest> residents = new Residents<>();
  private final Map<String, String> byId = new HashMap<>();
  private final Notices notices;

  /**
   * Nobody yet.
   *
   * @param noticing makes what tells the runtime of them
   */
  GuestList(
      Books books,
      PluginDevices plugins,
      Events events,
      Loop loop,
      Function<GuestList, Notices> noticing) {
    this.books = books;
    this.plugins = plugins;
    this.events = events;
    this.loop = loop;
    notices = noticing.apply(this);
  }

  Residents<Guest> residents() {
    return residents;
  }

  Seating seating() {
    return new Seating(books.node(), false);
  }

  /** By the runtime's name for an attempt. */
  Optional<Guest> byId(String id) {
    return Optional.ofNullable(byId.get(id)).flatMap(residents::get);
  }

  List<Guest> ofPod(String podUid) {
    return residents.all().stream()
        .filter(guest -> guest.container().podUid().equals(podUid))
        .toList();
  }

  /**
   * Those of a sandbox: a pod whose sandbox was lost gets another one, with containers of its own.
   */
  List<Guest> ofSandbox(String sandbox) {
    return residents.all().stream()
        .filter(guest -> guest.container().sandbox().equals(sandbox))
        .toList();
  }

  /**
   * Decides on a guest.
   *
   * @param visible whether a refusal stays visible
   */
  Verdict admit(Guest guest, boolean visible) {
    Verdict verdict =
        books.admit(
            guest.request(),
            GuestText.write(guest.container()),
            visible,
            books.objections(guest.request(), residents.anyShares(seating())));
    if (verdict instanceof Verdict.In) {
      loop.afterwards(() -> books.chronicle().admitted(guest, books.node()));
    }
    return verdict;
  }

  /**
   * What one asks for that was started without being asked for: no plugin has handed it anything,
   * so devices that only a plugin gives are not its own.
   */
  GuestRequest unhanded(GuestRequest request) {
    return request.without(
        plugins::isHandedOn,
        ": it runs without, since nobody asked before it was created, so none is kept for it");
  }

  /** Has a guest on the list, as this attempt at it. */
  void settle(Guest guest, GuestContainer attempt) {
    if (!guest.id().equals(attempt.id())) {
      forget(guest.id());
    }
    residents.put(guest);
    byId.put(attempt.id(), guest.uid());
    guest.begin(attempt, Loop.milliseconds());
  }

  /** An attempt came to nothing, and the one before is there still: a guest keeps what it has. */
  void takeBack(Guest guest) {
    forget(guest.id());
    guest.takeBack();
    byId.put(guest.id(), guest.uid());
  }

  /** Of some attempts before the latest nothing is left to go back to. */
  void forgetEarlier(Predicate<Guest> whose) {
    residents.all().stream().filter(whose).forEach(Guest::forgetEarlier);
  }

  /** Keeps one on the list that was refused. */
  void keepVisible(Guest guest) {
    residents.put(guest);
  }

  private void forget(String id) {
    byId.remove(id);
    notices.forget(id);
  }

  /**
   * What has ended well of a pod by the first coming of another container makes way: init
   * containers, as a rule, which nobody removes before the pod. One that has failed is started
   * again, and keeps what it has.
   *
   * @return whether there was one
   */
  boolean makeWay(String podUid) {
    List<Guest> done = new ArrayList<>();
    for (Guest guest : residents.all()) {
      if (guest.isDone() && guest.container().podUid().equals(podUid)) {
        done.add(guest);
      }
    }
    done.forEach(this::release);
    return !done.isEmpty();
  }

  /** Tells where a guest sits now. */
  void tellSeat(String kind, Guest guest) {
    events.add(kind, guest.title(), Descriptions.seats(seating(), guest));
  }

  /** Gives back all that a guest has, and forgets it. */
  void release(Guest guest) {
    books.removed(guest.uid());
    plugins.forget(guest.uid());
    residents.remove(guest.uid());
    forget(guest.id());
  }

  Notices notices() {
    return notices;
  }
}
