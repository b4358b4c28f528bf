package dev.berth.explain;

import dev.berth.allocation.Step;
import dev.berth.cpu.CpuSet;
import dev.berth.explain.Report.Verdict;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Explanation;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.ledger.Objection;
import dev.berth.ledger.Uncounted;
import dev.berth.ledger.WhyShared;
import dev.berth.relief.NearMiss;
import dev.berth.relief.Relief;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Puts reports together. May take as long as a search for moves does; keeps nothing. */
public final class Explainer {
  private Explainer() {}

  /** What would become of a pod that is not here. */
  public static Report wouldBe(Scene there, String name, Pod pod, Objections objections) {
    Scene scene = there.and(pod.uid(), name);
    Node after = scene.node().copy();
    return switch (after.admit(pod)) {
      case Decision.Refused refused ->
          refused(
              scene,
              name,
              pod,
              new Verdict.WouldBeRefused(refused.reason().kubernetesName(), refused.message()),
              refused,
              refused.why().account(),
              List.of());
      case Decision.Granted granted -> {
        Optional<Objection> objection = objections.against(after);
        yield objection.isPresent()
            ? objected(scene, name, objection.get(), granted.why().account())
            : new Report(
                name,
                scene,
                new Verdict.WouldFit(Holding.of(after, pod.uid())),
                Optional.empty(),
                surprises(scene, after, pod),
                Sitting.of(after, pod),
                List.of(),
                List.of(),
                Optional.empty(),
                granted.why().account());
      }
    };
  }

  /**
   * Why it shares though it looks guaranteed, and what it asks for that no manager counts, where
   * the machine has less than all ask for.
   */
  private static List<String> surprises(Scene scene, Node after, Pod pod) {
    Uncounted uncounted = new Uncounted(after);
    scene.movable().forEach(uncounted::add);
    List<String> before = uncounted.lines();
    uncounted.add(pod);
    List<String> lines = new ArrayList<>(shares(after, pod).stream().toList());
    for (String line : uncounted.lines()) {
      if (!before.contains(line)) {
        lines.add("not checked: " + line);
      }
    }
    return lines;
  }

  private static Optional<String> shares(Node node, Pod pod) {
    return WhyShared.of(pod, node.configuration())
        .map(why -> why.line("shared pool " + node.shared()));
  }

  private static Report objected(Scene scene, String name, Objection objection, List<Step> steps) {
    return new Report(
        name,
        scene,
        new Verdict.WouldBeRefused(objection.reason(), objection.message()),
        Optional.empty(),
        List.of("the CPUs, memory and devices that it asks for are free"),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        steps);
  }

  private static Report refused(
      Scene scene,
      String name,
      Pod pod,
      Verdict verdict,
      Decision.Refused now,
      List<Step> steps,
      List<String> notes) {
    List<NearMiss> misses = NearMiss.of(scene.node(), pod, now.reason());
    Relief relief = Relief.search(scene.node(), scene.movable(), pod);
    return new Report(
        name,
        scene,
        verdict,
        // What is known is how things are now; of a refusal for another reason it tells nothing.
        verdict.isFor(now.reason())
            ? Cause.of(scene.node(), pod, now, misses, relief)
            : Optional.empty(),
        notes,
        List.of(),
        misses,
        now.why().remedies(),
        Optional.of(relief),
        steps);
  }

  /**
   * Why a pod was refused, and what would help as things are now.
   *
   * @param why how the engine came to it, where it was the engine and that is known
   */
  public static Report wasRefused(
      Scene there,
      String name,
      Pod pod,
      Objection said,
      Optional<Explanation> why,
      Objections objections) {
    Scene scene = there.and(pod.uid(), name);
    Verdict verdict = new Verdict.Refused(said.reason(), said.message());
    List<Step> steps = why.map(Explanation::account).orElse(List.of());
    Node after = scene.node().copy();
    Decision now = after.admit(pod);
    if (now instanceof Decision.Refused again) {
      return refused(
          scene,
          name,
          pod,
          verdict,
          again,
          steps.isEmpty() ? again.why().account() : steps,
          List.of(
              steps.isEmpty()
                  ? "how it was decided then was not kept: all that follows is as things are now"
                  : "what would help is said as things are now"));
    }
    Optional<Objection> objection = objections.against(after);
    String note =
        objection.isPresent()
            ? "it would still be refused: " + objection.get().message()
            : "it would fit now: " + cpus(Holding.of(after, pod.uid()).allCpus());
    return new Report(
        name,
        scene,
        verdict,
        Optional.empty(),
        List.of(note),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        steps);
  }

  private static String cpus(CpuSet cpus) {
    return cpus.isEmpty() ? "on the shared pool" : "CPUs " + cpus;
  }

  /**
   * Why a pod sits where it sits.
   *
   * @param why how that was decided, where it is known
   * @param displaced why it has lost its CPUs, where it has
   */
  public static Report sits(
      Scene scene, String name, Pod pod, Optional<Explanation> why, Optional<String> displaced) {
    Holding holding = Holding.of(scene.node(), pod.uid());
    List<String> notes = new ArrayList<>();
    shares(scene.node(), pod).ifPresent(notes::add);
    displaced.ifPresent(line -> notes.add("it is owed CPUs of its own and shares: " + line));
    if (why.isEmpty()) {
      notes.add(
          "it was let in before this agent started, and the steps were not kept: this is what can"
              + " be told from where it sits now");
    }
    if (!holding.allCpus().isEmpty()) {
      notes.add(better(scene.node(), pod));
    }
    return new Report(
        name,
        scene,
        new Verdict.Sits(holding),
        Optional.empty(),
        notes,
        Sitting.of(scene.node(), pod),
        List.of(),
        List.of(),
        Optional.empty(),
        why.map(Explanation::account).orElse(List.of()));
  }

  /** Whether it would find a better place if it came again now. */
  private static String better(Node node, Pod pod) {
    Node again = node.copy();
    again.remove(pod.uid());
    if (again.admit(pod) instanceof Decision.Refused refused) {
      return "if it left, it would not be let in again as things are: " + refused.message();
    }
    int[] then = spread(Sitting.of(again, pod));
    return Arrays.compare(then, spread(Sitting.of(node, pod))) < 0
        ? "a better place is free now: "
            + cpus(Holding.of(again, pod.uid()).allCpus())
            + ", "
            + Words.spread(then[0], then[1], then[2])
            + "; it would get it if it were removed and applied again"
        : "no better place is free now";
  }

  private static int[] spread(List<Sitting> sittings) {
    int[] sum = new int[4];
    for (Sitting sitting : sittings) {
      for (int i = 0; i < sum.length && sitting.own(); i++) {
        sum[i] += sitting.spread().get(i);
      }
    }
    return sum;
  }

  /** One that was let in and has left since. */
  public static Report left(Scene scene, String name, String how, Optional<Explanation> why) {
    return new Report(
        name,
        scene,
        new Verdict.Left(how),
        Optional.empty(),
        why.isPresent()
            ? List.of()
            : List.of("how it was let in was not kept; the latest decisions are"),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        why.map(Explanation::account).orElse(List.of()));
  }
}
