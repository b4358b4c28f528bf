package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import java.util.Comparator;
import java.util.List;

/** Tells who holds the CPUs that a refused pod did not get. */
final class Holders {
  private static final int LISTED = 8;

  private Holders() {}

  static void tell(Trace trace, StaticPolicy policy, Assignments others) {
    CpuSet assignable = others.shared().difference(policy.reserved);
    trace.add(
        new Step.Noted(
            "assignable "
                + assignable.size()
                + " ("
                + assignable
                + "), reserved "
                + policy.reserved.size()
                + " ("
                + policy.reserved
                + ")"));
    List<String> pods =
        others.exclusive().keySet().stream()
            .sorted(
                Comparator.comparingInt((String pod) -> -others.of(pod).size())
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    for (String pod : pods.subList(0, Math.min(LISTED, pods.size()))) {
      trace.add(
          new Step.Noted("pod " + pod + " holds " + others.of(pod).size() + ": " + others.of(pod)));
    }
    if (pods.size() > LISTED) {
      trace.add(new Step.Noted("and " + (pods.size() - LISTED) + " pods more hold CPUs"));
    }
    tellFree(trace, policy, assignable, Level.CACHE);
    tellFree(trace, policy, assignable, Level.NODE);
  }

  private static void tellFree(Trace trace, StaticPolicy policy, CpuSet assignable, Level level) {
    policy.machine.domains(level).stream()
        .max(
            Comparator.comparingInt((Domain place) -> place.cpus().sharedWith(assignable))
                .thenComparing(Domain::id, Comparator.reverseOrder()))
        .ifPresent(place ->
            trace.add(
                new Step.Noted(
                    "the emptiest "
                        + level.noun()
                        + " is "
                        + place.id()
                        + ", with "
                        + place.cpus().sharedWith(assignable)
                        + " of "
                        + place.size()
                        + " assignable")));
  }
}
