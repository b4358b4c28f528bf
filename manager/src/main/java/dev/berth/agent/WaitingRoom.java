package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.kubelet.RunnablePod;
import dev.berth.linux.ProcessId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Commands that somebody runs: lets them in, has them wait for room, and notices their end, which
 * nobody reports. On the loop only.
 */
final class WaitingRoom {
  /** How often commands are looked at, as long as there are any. */
  private static final long PERIOD = 100;

  /** One who waits for room. */
  private record Waiting(
      RunnablePod pod, ProcessId process, long until, CompletableFuture<Verdict> answer) {
    boolean isOver() {
      return Loop.milliseconds() >= until || !process.isAlive();
    }
  }

  private final Keeper keeper;
  private final Reception reception;
  private final Loop loop;
  private final Events events;
  private final Set<Waiting> waiting = new LinkedHashSet<>();
  private boolean watching;

  WaitingRoom(Keeper keeper, Reception reception, Loop loop, Events events) {
    this.keeper = keeper;
    this.reception = reception;
    this.loop = loop;
    this.events = events;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Decides on a command's pod; where it has to wait, the answer comes later. */
  CompletableFuture<Verdict> admit(RunnablePod pod, ProcessId process, long patience) {
    Verdict verdict = admit(pod, process);
    if (verdict instanceof Verdict.In || patience <= 0 || !reception.couldEverFit(pod)) {
      return CompletableFuture.completedFuture(verdict);
    }
    Waiting one =
        new Waiting(pod, process, Loop.milliseconds() + patience, new CompletableFuture<>());
    waiting.add(one);
    events.add("waiting", pod.manifest().name(), "for room");
    watch();
    return one.answer();
  }

  private Verdict admit(RunnablePod pod, ProcessId process) {
    Verdict verdict = reception.admit(pod, Origin.RUN, Optional.of(process));
    watch();
    return verdict;
  }

  /** There may be room: whoever fits is let in, first come first asked. */
  void letIn() {
    for (Waiting one : List.copyOf(waiting)) {
      if (!one.process().isAlive()) {
        waiting.remove(one);
        continue;
      }
      Verdict verdict = admit(one.pod(), one.process());
      if (verdict instanceof Verdict.In || one.isOver()) {
        waiting.remove(one);
        one.answer().complete(verdict);
      }
    }
  }

  private List<Tenant> commands() {
    return keeper.residents().all().stream().filter(r -> r.origin() == Origin.RUN).toList();
  }

  /** Begins to look at commands, where there are any. */
  void watch() {
    if (!watching && !(commands().isEmpty() && waiting.isEmpty())) {
      watching = true;
      var _ = loop.schedule(this::look, PERIOD);
    }
  }

  private void look() {
    watching = false;
    commands().forEach(keeper::lookAtCommand);
    if (waiting.stream().anyMatch(Waiting::isOver)) {
      letIn();
    }
    watch();
  }

  /** Nobody is let in any more. */
  void close() {
    waiting.forEach(one -> one.answer().cancel(false));
  }
}
