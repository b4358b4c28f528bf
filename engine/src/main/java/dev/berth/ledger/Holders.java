package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Tells who holds the CPUs that a refused pod did not get. */
final class Holders {
  private static final int LISTED = 8;

  private Holders() {}

  static void tell(Trace trace, StaticPolicy policy, Assignments others) {
    CpuSet assignable = others.shared().difference(policy.reserved);
    trace.add(new Step.Noted(whole(assignable, policy.reserved, others.exclusive().isEmpty())));
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
    if (!assignable.isEmpty()) {
      tellFree(trace, policy, assignable, Level.NODE);
      tellFree(trace, policy, assignable, Level.CACHE);
    }
  }

  /** What can be given and what cannot, in a line. */
  private static String whole(CpuSet assignable, CpuSet reserved, boolean nobodyHoldsAny) {
    if (assignable.isEmpty() && nobodyHoldsAny) {
      return "no CPU is assignable: all " + reserved.size() + " are reserved";
    }
    String kept = "reserved " + counted(reserved);
    return assignable.isEmpty()
        ? "no CPU is assignable: the others are held; " + kept
        : "assignable " + counted(assignable) + ", " + kept;
  }

  private static String counted(CpuSet cpus) {
    return cpus.size() + " (" + cpus + ")";
  }

  /**
   * Where the assignable CPUs are, the most first, then the lowest id; nothing for a single place.
   */
  private static void tellFree(Trace trace, StaticPolicy policy, CpuSet assignable, Level level) {
    List<Domain> places = policy.machine.domains(level);
    if (places.size() == 1) {
      return;
    }
    String listed =
        places.stream()
            .sorted(
                Comparator.comparingInt((Domain place) -> -place.cpus().sharedWith(assignable))
                    .thenComparingInt(Domain::id))
            .limit(LISTED)
            .map(place ->
                place.cpus().sharedWith(assignable) + " of " + place.size() + " on " + place.id())
            .collect(Collectors.joining(", "));
    String rest =
        places.size() > LISTED ? ", no more on any of " + (places.size() - LISTED) + " others" : "";
    trace.add(new Step.Noted("assignable by " + level.noun() + ": " + listed + rest));
  }
}
