package dev.berth.explain;

import dev.berth.allocation.Step;
import dev.berth.hints.Reason;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Remedy;
import dev.berth.relief.NearMiss;
import dev.berth.relief.Relief;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that can be said of a decision.
 *
 * @param name what people call the pod
 * @param scene what there was when somebody asked
 * @param verdict what became or would become of it
 * @param cause why it is refused, in our own words where we know more than the verdict says
 * @param notes what a person should know about this answer, a line each
 * @param sittings where its containers sit or would sit; none for one that is not let in
 * @param nearMisses what each NUMA node or L3 cache lacks for it, or how many cores are whole
 * @param remedies what else would let it in
 * @param relief what moving others would do for it; only for one that is refused
 * @param steps how it was decided, where that is known
 */
public record Report(
    String name,
    Scene scene,
    Verdict verdict,
    Optional<String> cause,
    List<String> notes,
    List<Sitting> sittings,
    List<NearMiss> nearMisses,
    List<Remedy> remedies,
    Optional<Relief> relief,
    List<Step> steps) {
  /** What became of a pod. */
  public sealed interface Verdict {
    /** It is in. */
    record Sits(Holding holding) implements Verdict {}

    /** It would be let in. */
    record WouldFit(Holding holding) implements Verdict {}

    /** It was refused. */
    record Refused(String reason, String message) implements Verdict {}

    /** It would be refused. */
    record WouldBeRefused(String reason, String message) implements Verdict {}

    /** It was here, and is not any more. */
    record Left(String how) implements Verdict {}

    /** Whether it is a refusal for this reason. */
    default boolean isFor(Reason why) {
      return switch (this) {
        case Refused no -> no.reason().equals(why.kubernetesName());
        case WouldBeRefused no -> no.reason().equals(why.kubernetesName());
        case Sits _, WouldFit _, Left _ -> false;
      };
    }
  }

  /** Takes copies. */
  public Report {
    notes = List.copyOf(notes);
    sittings = List.copyOf(sittings);
    nearMisses = List.copyOf(nearMisses);
    remedies = List.copyOf(remedies);
    steps = List.copyOf(steps);
  }

  /** The same with more to know about it. */
  public Report noting(List<String> more) {
    List<String> all = new ArrayList<>(notes);
    all.addAll(more);
    return new Report(
        name, scene, verdict, cause, all, sittings, nearMisses, remedies, relief, steps);
  }

  /** Whether it was or would be refused. */
  public boolean isRefused() {
    return verdict instanceof Verdict.Refused || verdict instanceof Verdict.WouldBeRefused;
  }
}
