package dev.berth.agent;

import dev.berth.agent.found.FoundContainer;
import dev.berth.agent.found.UnknownContainer;
import dev.berth.agent.found.UnknownContainers;
import dev.berth.ledger.Holding;
import dev.berth.linux.Posix;
import dev.berth.linux.ProcessId;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The running containers of ours that no record names. They keep their CPUs or follow the shared
 * pool, and are ended on request. On the loop only.
 */
final class UnknownHolders {
  /** How long their processes have to end after SIGTERM, in milliseconds. */
  private static final long GRACE = 10_000;

  private static final long LOOK_AGAIN = 50;

  /** A process that does not end when it is killed is in the kernel's hands. */
  private static final long KILL_AGAIN = 1_000;

  private final Enclosure enclosure;
  private final Loop loop;
  private final Events events;
  private final Consumer<String> released;
  private final Map<String, CompletableFuture<Boolean>> ending = new HashMap<>();
  private List<UnknownContainer> all = List.of();

  /**
   * None yet.
   *
   * @param released told of a holder whose containers were ended
   */
  UnknownHolders(Enclosure enclosure, Loop loop, Events events, Consumer<String> released) {
    this.enclosure = enclosure;
    this.loop = loop;
    this.events = events;
    this.released = released;
  }

  List<UnknownContainer> all() {
    return all;
  }

  /** What they hold, by uid; nothing of those that share. */
  SortedMap<String, Holding> holdings() {
    return UnknownContainers.holdings(all);
  }

  /** Whether containers of this uid run that no record names. */
  boolean has(String uid) {
    return all.stream().anyMatch(one -> isOf(one, uid));
  }

  /** A container beside those that its pod's record names is a holder of its own. */
  private static boolean isOf(UnknownContainer one, String uid) {
    return one.holder().equals(uid) || one.found().uid().equals(uid);
  }

  /** From now on it is these; each is told once. */
  void update(List<UnknownContainer> now) {
    Set<Object> before = new HashSet<>();
    all.forEach(one -> before.add(key(one)));
    for (UnknownContainer one : now) {
      if (before.add(key(one))) {
        events.add("unknown", one.holder(), told(one));
      }
    }
    Set<Object> left = new HashSet<>();
    now.forEach(one -> left.add(one.found().group()));
    all.stream()
        .filter(one -> !left.contains(one.found().group()))
        .filter(one -> !enclosure.isPopulated(one.found().group()))
        .forEach(one -> {
          events.add("gone", one.holder(), one.found().name() + ": no process is left");
          enclosure.remove(one.found().group());
        });
    all = List.copyOf(now);
  }

  private static Object key(UnknownContainer one) {
    return List.of(one.found().group(), one.shares(), one.held());
  }

  private static String told(UnknownContainer one) {
    FoundContainer found = one.found();
    String where = found.cpus().isEmpty() ? "no cpuset" : "CPUs " + found.cpus();
    return found.name()
        + " runs on "
        + where
        + " and no record names it: it "
        + (one.shares() ? "runs on the shared pool" : "keeps them")
        + " until it ends; berth rm "
        + one.holder()
        + " ends it";
  }

  /** Ends the containers of a uid; done once nothing of them is left. */
  CompletableFuture<Boolean> end(String uid) {
    CompletableFuture<Boolean> before = ending.get(uid);
    if (before != null) {
      return before;
    }
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    ending.put(uid, done);
    signal(uid, Posix.SIGTERM);
    awaitEnd(uid, Loop.milliseconds() + GRACE);
    return done;
  }

  private List<FoundContainer> containers(String uid) {
    return all.stream().filter(one -> isOf(one, uid)).map(UnknownContainer::found).toList();
  }

  private void signal(String uid, int number) {
    for (FoundContainer one : containers(uid)) {
      for (long process : one.processes()) {
        ProcessId.of(process)
            .filter(id -> enclosure.isIn(one.group(), id))
            .ifPresent(id -> signal(id, number));
      }
    }
  }

  private static void signal(ProcessId process, int number) {
    try {
      process.signal(number);
    } catch (IOException e) {
      // It is killed with its cgroup.
      return;
    }
  }

  private void awaitEnd(String uid, long killAt) {
    List<FoundContainer> left =
        containers(uid).stream().filter(one -> enclosure.isPopulated(one.group())).toList();
    if (left.isEmpty()) {
      Set<String> holders = new TreeSet<>();
      all.stream().filter(one -> isOf(one, uid)).forEach(one -> holders.add(one.holder()));
      update(all.stream().filter(one -> !isOf(one, uid)).toList());
      holders.forEach(released);
      Optional.ofNullable(ending.remove(uid)).ifPresent(done -> done.complete(true));
      return;
    }
    boolean late = Loop.milliseconds() >= killAt;
    if (late) {
      left.forEach(one -> enclosure.kill(one.group()));
    }
    var _ = loop.schedule(() -> awaitEnd(uid, killAt), late ? KILL_AGAIN : LOOK_AGAIN);
  }
}
