package dev.berth.story;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.Holding;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Something that happened; it says what it changed, and nothing else.
 *
 * @param at seconds since the beginning
 * @param kind what it was
 * @param pod whom it happened to, by position in the story; none for a note about everybody
 * @param holding what the pod has from now on: all of it where it was admitted, moved or displaced
 * @param nodes by container, the NUMA nodes that the topology manager chose, where it did
 * @param aligned by container with CPUs of its own, in as few of what as possible they lie
 * @param reason one word for a refusal, as Kubernetes has it; empty where there is none
 * @param message the sentence that goes with it; empty where there is none
 * @param why the explanation, line by line, where it was kept
 * @param shared the shared pool from now on, where it has changed
 */
public record Step(
    double at,
    Kind kind,
    OptionalInt pod,
    Holding holding,
    SortedMap<String, NodeSet> nodes,
    SortedMap<String, Set<Boundary>> aligned,
    String reason,
    String message,
    List<String> why,
    Optional<CpuSet> shared) {
  /** What can happen. */
  public enum Kind {
    /** A pod was let in. */
    ADMITTED,
    /** A pod was refused; nothing is kept for it. */
    REFUSED,
    /** A pod has left, and what it had is free. */
    REMOVED,
    /** A pod goes on with something else than it had. */
    MOVED,
    /** A pod goes on without CPUs of its own that it had or is owed. */
    DISPLACED,
    /** Something to know. */
    NOTE;

    /** Its name in a story. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Takes unmodifiable copies, and refuses a time that is none. */
  public Step {
    if (!(at >= 0) || Double.isInfinite(at)) {
      throw new InvalidInputException("step: expected a time from 0 s, found " + at);
    }
    nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    aligned = Collections.unmodifiableSortedMap(new TreeMap<>(aligned));
    why = List.copyOf(why);
  }

  /** Something that happened to a pod. */
  public static Step of(double at, Kind kind, int pod) {
    return bare(at, kind, OptionalInt.of(pod), "");
  }

  /** Something to know about everybody. */
  public static Step note(double at, String message) {
    return bare(at, Kind.NOTE, OptionalInt.empty(), message);
  }

  private static Step bare(double at, Kind kind, OptionalInt pod, String message) {
    return new Step(
        at,
        kind,
        pod,
        Holding.NOTHING,
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        "",
        message,
        List.of(),
        Optional.empty());
  }

  /** The same with what the pod has from now on. */
  public Step with(Holding has) {
    return new Step(at, kind, pod, has, nodes, aligned, reason, message, why, shared);
  }

  /** The same with where its containers were placed, and how well their CPUs lie. */
  public Step placed(
      SortedMap<String, NodeSet> places, SortedMap<String, Set<Boundary>> boundaries) {
    return new Step(at, kind, pod, holding, places, boundaries, reason, message, why, shared);
  }

  /** The same with a reason, which may be empty, and a sentence. */
  public Step because(String word, String sentence) {
    return new Step(at, kind, pod, holding, nodes, aligned, word, sentence, why, shared);
  }

  /** The same with its explanation. */
  public Step explained(List<String> lines) {
    return new Step(at, kind, pod, holding, nodes, aligned, reason, message, lines, shared);
  }

  /** The same with the shared pool as it is from now on. */
  public Step shared(CpuSet pool) {
    return new Step(
        at, kind, pod, holding, nodes, aligned, reason, message, why, Optional.of(pool));
  }
}
