package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.kubelet.RunnablePod;
import dev.berth.linux.ProcessId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Commands that somebody runs: lets them in, has them wait for room, and notices their end, which
 * nobody reports. On the loop only.
 */
final class WaitingRoom {
  /** How often commands are looked at, as long as there are any. */
  private static final long PERIOD = 100;

  /** Pause before one is tried again whose device plugins refused it; it doubles. */
  private static final long FIRST_PAUSE = 1_000;

  private static final long LONGEST_PAUSE = 60_000;

  /** One who waits for room. */
  private static final class Waiting {
    private final RunnablePod pod;
    private final ProcessId process;
    private final long until;
    private final CompletableFuture<Verdict> answer = new CompletableFuture<>();
    private boolean asking;
    private long notBefore;
    private long pause = FIRST_PAUSE;
    private boolean tried;

    Waiting(RunnablePod pod, ProcessId process, long until) {
      this.pod = pod;
      this.process = process;
      this.until = until;
    }

    /** Who made room by being refused is not to be the first to be asked again, for ever. */
    void rest() {
      notBefore = Loop.milliseconds() + pause;
      pause = Math.min(LONGEST_PAUSE, 2 * pause);
    }

    boolean isOver() {
      return Loop.milliseconds() >= until || !process.isAlive();
    }

    boolean isDue() {
      return !asking && (isOver() || (notBefore > 0 && Loop.milliseconds() >= notBefore));
    }

    boolean mayTry() {
      return !asking && (isOver() || Loop.milliseconds() >= notBefore);
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
    Waiting one = new Waiting(pod, process, Loop.milliseconds() + patience);
    boolean waits = patience > 0;
    attempt(
        one,
        verdict -> {
          if (waits && process.isAlive() && reception.couldEverFit(pod)) {
            waiting.add(one);
            events.add("waiting", pod.manifest().name(), "for room");
            watch();
          } else {
            one.answer.complete(verdict);
          }
        });
    return one.answer;
  }

  /** Decides on one; what is done where it is refused. */
  private void attempt(Waiting one, Consumer<Verdict> refused) {
    CompletableFuture<Verdict> verdict =
        one.tried
            ? reception.admitAgain(one.pod, one.process)
            : reception.admit(one.pod, Origin.RUN, Optional.of(one.process));
    one.tried = true;
    boolean later = !verdict.isDone();
    one.asking = true;
    var _ =
        verdict.whenComplete((answer, fault) -> {
          one.asking = false;
          one.notBefore = 0;
          if (later) {
            one.rest();
          }
          switch (answer) {
            case Verdict.In in -> {
              waiting.remove(one);
              one.answer.complete(in);
            }
            case Verdict.Out out when out.isFinal() -> {
              waiting.remove(one);
              one.answer.complete(out);
            }
            case Verdict.Out out -> refused.accept(out);
            case null -> one.answer.completeExceptionally(fault);
          }
        });
    watch();
  }

  /** There may be room: whoever fits is let in, first come first asked. */
  void letIn() {
    for (Waiting one : List.copyOf(waiting)) {
      if (!one.process.isAlive() && !one.asking) {
        waiting.remove(one);
        one.answer.cancel(false);
      } else if (one.mayTry()) {
        attempt(
            one,
            verdict -> {
              if (one.isOver()) {
                waiting.remove(one);
                one.answer.complete(verdict);
              }
            });
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
    if (waiting.stream().anyMatch(Waiting::isDue)) {
      letIn();
    }
    watch();
  }

  /** Nobody is let in any more. */
  void close() {
    waiting.forEach(one -> one.answer.cancel(false));
  }
}
