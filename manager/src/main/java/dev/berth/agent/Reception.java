package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.found.UnknownContainer;
import dev.berth.explain.Objections;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Conditions;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.linux.ProcessId;
import dev.berth.workload.Pod;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Lets pods in that the agent is to start, or refuses them. On the loop only. */
final class Reception {
  private final Books books;
  private final Keeper keeper;
  private final Enclosure enclosure;
  private final Preparation preparation;
  private final Arrangement arrangement;
  private final Events events;
  private final Metrics metrics;
  private final UnknownHolders unknown;

  /** The pods that were refused since containers of them run that no record names. */
  private final Set<String> toldToRun = new HashSet<>();

  Reception(
      Books books,
      Keeper keeper,
      Enclosure enclosure,
      Preparation preparation,
      Arrangement arrangement,
      Events events,
      Metrics metrics,
      UnknownHolders unknown) {
    this.books = books;
    this.keeper = keeper;
    this.enclosure = enclosure;
    this.preparation = preparation;
    this.arrangement = arrangement;
    this.events = events;
    this.metrics = metrics;
    this.unknown = unknown;
  }

  /**
   * Decides on a pod, and if it is let in, starts it. The answer is there at once, but where device
   * plugins have to be asked.
   *
   * @param process the command's own process, for one that {@code berth run} brought
   */
  CompletableFuture<Verdict> admit(RunnablePod pod, Origin origin, Optional<ProcessId> process) {
    return admit(new Tenant(pod, origin, process));
  }

  /** The same for a command that waits: that it was refused is known. */
  CompletableFuture<Verdict> admitAgain(RunnablePod pod, ProcessId process) {
    Tenant tenant = new Tenant(pod, Origin.RUN, Optional.of(process));
    tenant.hush();
    return admit(tenant);
  }

  private CompletableFuture<Verdict> admit(Tenant tenant) {
    if (unknown.has(tenant.uid())) {
      return alreadyRuns(tenant);
    }
    toldToRun.remove(tenant.uid());
    Optional<Tenant> before = keeper.residents().get(tenant.uid());
    if (before.isPresent()) {
      if (!before.get().life().phase().isOver()) {
        return again(before.get(), tenant);
      }
      keeper.forget(before.get());
      before.get().gone().complete(true);
    }
    long began = System.nanoTime();
    try {
      return decide(tenant);
    } finally {
      metrics.answered(System.nanoTime() - began);
    }
  }

  private CompletableFuture<Verdict> decide(Tenant tenant) {
    Verdict verdict =
        books.admit(
            tenant.request(),
            ResidentText.write(tenant.pod(), tenant.origin(), tenant.process()),
            tenant.origin() != Origin.RUN,
            objections(tenant.request()));
    return switch (verdict) {
      case Verdict.Out out -> refused(tenant, out);
      case Verdict.In in -> seated(tenant, in);
    };
  }

  /** Its record was lost, and a second start would run beside the first. */
  private CompletableFuture<Verdict> alreadyRuns(Tenant tenant) {
    String line =
        "containers of pod "
            + tenant.title()
            + " run already and no record names them; berth rm "
            + tenant.uid()
            + " ends them";
    // A folder of manifests asks again with every look at it.
    if (toldToRun.add(tenant.uid())) {
      tellRefused(tenant, line);
    }
    return CompletableFuture.completedFuture(new Verdict.Out("NameInUse", line, Optional.empty()));
  }

  /** The same command may ask twice, where the first answer was lost with its agent. */
  private CompletableFuture<Verdict> again(Tenant before, Tenant now) {
    boolean same =
        before.process().equals(now.process()) && before.pod().text().equals(now.pod().text());
    if (same && before.life().isHeld()) {
      return before.admission();
    }
    if (same && now.process().isPresent()) {
      return handedOn(before, new Verdict.In(before.why()));
    }
    String line =
        "pod " + before.title() + " runs already; berth rm " + before.title() + " ends it";
    tellRefused(now, line);
    return CompletableFuture.completedFuture(new Verdict.Out("NameInUse", line, Optional.empty()));
  }

  /** A command that the agent before has let in: what it was handed is lost with that agent. */
  private CompletableFuture<Verdict> handedOn(Tenant command, Verdict.In in) {
    if (command.admission().isDone() || !preparation.isNeeded(command)) {
      return command.answer(in);
    }
    preparation.enter(
        command,
        refusal -> {
          // It may have asked twice, and one answer has let it begin.
          if (refusal.isEmpty()) {
            var _ = command.answer(in);
          } else if (!command.admission().isDone()) {
            turnedAway(command, refusal.get());
          }
        });
    return command.admission();
  }

  /** What would speak against a pod that the engine lets in, as things are now. */
  Objections objections(Pod pod) {
    Conditions conditions =
        new Conditions(
            isPoolInUse(), books.allowsEmptySharedPool(), enclosure.limitsHugepages(), Set.of());
    return after -> conditions.against(pod, after);
  }

  private boolean isPoolInUse() {
    // Beside partitions the pool's own group keeps a CPU, whoever is in it: no set is ever empty.
    return arrangement.isolated()
        || keeper.residents().anyShares(keeper.seating())
        || unknown.all().stream().anyMatch(UnknownContainer::shares);
  }

  private CompletableFuture<Verdict> refused(Tenant tenant, Verdict.Out out) {
    tenant.refuse(out.reason() + ": " + out.message());
    out.why().ifPresent(tenant::explain);
    books.chronicle().refused(tenant, out, books.node());
    if (tenant.origin() != Origin.RUN) {
      keeper.keepVisible(tenant);
    } else {
      keeper.residents().departed().add(tenant);
    }
    tellRefused(tenant, out.reason() + ": " + out.message());
    return tenant.answer(out);
  }

  private void tellRefused(Tenant tenant, String line) {
    if (!tenant.isHushed()) {
      events.add("refused", tenant.title(), line);
    }
  }

  /** The engine has a place for it; what else it needs is to be seen. */
  private CompletableFuture<Verdict> seated(Tenant tenant, Verdict.In in) {
    books.chronicle().admitted(tenant, books.node());
    in.why().ifPresent(tenant::explain);
    if (preparation.isNeeded(tenant)) {
      tenant.life().hold();
    }
    Optional<String> blocked = keeper.moveIn(tenant);
    if (blocked.isPresent()) {
      // Somebody may still sit on CPUs that were to be this pod's: it must not start.
      keeper.moveOut(tenant);
      return refused(tenant, new Verdict.Out("GroupsUnwritable", blocked.get(), Optional.empty()));
    }
    if (tenant.life().isHeld()) {
      preparation.enter(tenant, refusal -> entered(tenant, in, refusal));
      return tenant.admission();
    }
    return admitted(tenant, in);
  }

  /** Its plugins have answered. */
  private void entered(Tenant tenant, Verdict.In in, Optional<String> refusal) {
    if (refusal.isPresent()) {
      turnedAway(tenant, refusal.get());
      return;
    }
    try {
      var _ = admitted(tenant, in);
    } catch (RuntimeException e) {
      // Nobody would look at it again. What runs by now is looked at as all are.
      if (tenant.life().containers().stream().anyMatch(ContainerLife::isRunning)) {
        var _ = tenant.answer(in);
      } else {
        turnedAway(tenant, "internal error: " + e);
      }
      throw e;
    }
  }

  /** It keeps nothing of what it was given: whoever asks again for it is decided on anew. */
  private void turnedAway(Tenant tenant, String line) {
    keeper.moveOutLate(tenant);
    var _ = refused(tenant, unhanded(line));
  }

  private CompletableFuture<Verdict> admitted(Tenant tenant, Verdict.In in) {
    events.add("admitted", tenant.title(), Descriptions.seats(keeper.seating(), tenant));
    Descriptions.remarks(keeper.seating(), tenant.request())
        .forEach(line -> events.add("warning", tenant.title(), line));
    keeper.begin(tenant);
    return tenant.answer(in);
  }

  private static Verdict.Out unhanded(String line) {
    return new Verdict.Out("UnexpectedAdmissionError", line, Optional.empty());
  }

  /** Whether a pod would be let in if nobody else were there. */
  boolean couldEverFit(RunnablePod pod) {
    Node node = books.node();
    Node empty = node.copy();
    Holding.all(node).keySet().forEach(empty::remove);
    return empty.admit(pod.manifest().pod()) instanceof Decision.Granted;
  }
}
