package dev.berth.explain;

import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.ledger.Owed;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.relief.NearMiss;
import dev.berth.relief.Proof;
import dev.berth.relief.Relief;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Why a pod is refused, in one plain sentence, where more is known than Kubernetes says. Each is
 * said only where it was counted or tried.
 *
 * @param node as it is
 * @param pod the refused one
 * @param misses what each NUMA node lacks for it
 */
record Cause(Node node, Pod pod, List<NearMiss.InPlace> misses) {
  private static final String ALIGN_BY_SOCKET = "align-by-socket";

  static Optional<String> of(
      Node node, Pod pod, Decision.Refused refused, List<NearMiss> misses, Relief relief) {
    Optional<String> proved = proved(relief);
    if (proved.isPresent()) {
      return proved;
    }
    return switch (refused.reason()) {
      case TOPOLOGY_AFFINITY -> Optional.of(new Cause(node, pod, byNode(misses)).affinity());
      case SMT_ALIGNMENT ->
          Optional.of("full-pcpus-only gives whole cores alone, and too few of them are free");
      case CACHE_ALIGNMENT ->
          Optional.of(
              "strict-align-cpus-by-uncorecache wants all CPUs of a container below one L3 cache,"
                  + " and none has enough free");
      case UNEXPECTED, EMPTY_POD_SHARED_POOL -> Optional.empty();
    };
  }

  private static List<NearMiss.InPlace> byNode(List<NearMiss> misses) {
    return misses.stream()
        .filter(NearMiss.InPlace.class::isInstance)
        .map(NearMiss.InPlace.class::cast)
        .filter(miss -> miss.level() == Level.NODE)
        .toList();
  }

  /** A proof says it best, unless it is only that all was tried. */
  static Optional<String> proved(Relief relief) {
    if (!(relief instanceof Relief.Impossible(Proof proof))) {
      return Optional.empty();
    }
    return switch (proof) {
      case Proof.NeverFits never -> Optional.of(never.text());
      case Proof.TooLittle little -> Optional.of(little.text());
      case Proof.TooManyLarge _, Proof.Exhausted _ -> Optional.empty();
    };
  }

  private String affinity() {
    return nowhere().or(this::tooWide).or(this::onlyAlone).orElseGet(this::otherwise);
  }

  /** What is missing on every NUMA node, and not only on some. */
  private Optional<String> nowhere() {
    return misses.stream()
        .map(NearMiss::part)
        .distinct()
        .filter(part -> isOnEveryNode(ofPart(part)))
        .findFirst()
        .map(part ->
            "all that "
                + part
                + " asks for has to be on one NUMA node, and no node has "
                + (isOnEveryNode(ofPart(part).stream().filter(Cause::isForEver).toList())
                    ? "so much, even when the machine is empty"
                    : "it free"));
  }

  private List<NearMiss.InPlace> ofPart(String part) {
    return misses.stream().filter(miss -> miss.part().equals(part)).toList();
  }

  private boolean isOnEveryNode(List<NearMiss.InPlace> some) {
    return nodes().stream()
        .allMatch(one -> some.stream().anyMatch(miss -> miss.place() == one.id()));
  }

  /** Whether the node would lack it although nobody had any. */
  private static boolean isForEver(NearMiss.InPlace miss) {
    long held = miss.holders().values().stream().mapToLong(Long::longValue).sum();
    return miss.free() + held < miss.asked();
  }

  private List<Domain> nodes() {
    return node.machine().domains(Level.NODE);
  }

  /** By CPUs alone: reserved ones count, as they do where the policy decides what is possible. */
  private Optional<String> tooWide() {
    if (policy() != Policy.RESTRICTED
        || node.configuration().optionsOn().contains(ALIGN_BY_SOCKET)) {
      return Optional.empty();
    }
    for (Owed.Part part : Owed.of(node, pod).parts()) {
      int least = width(part.cpus(), nodes().stream().mapToInt(Domain::size));
      int now =
          width(
              part.cpus(),
              nodes().stream().mapToInt(one -> one.cpus().sharedWith(node.assignable())));
      if (now > least && now <= nodes().size()) {
        return Optional.of(
            "topology policy restricted lets the "
                + part.cpus()
                + " CPUs of "
                + part.name()
                + " be on "
                + Words.counted(least, "NUMA node")
                + ", as few as on an empty machine, and those that are free are on "
                + now
                + " or more");
      }
    }
    return Optional.empty();
  }

  /** How many places so many CPUs need at least; one more than there are where all do not do. */
  private static int width(int cpus, IntStream sizes) {
    List<Integer> largestFirst = sizes.boxed().sorted(Comparator.reverseOrder()).toList();
    int missing = cpus;
    int width = 0;
    while (missing > 0 && width < largestFirst.size()) {
      missing -= largestFirst.get(width++);
    }
    return missing > 0 ? width + 1 : width;
  }

  /** Each container is tried as a pod of its own. */
  private Optional<String> onlyAlone() {
    boolean several = pod.containers().size() > 1 && pod.budget().isEmpty();
    return several
            && pod.containers().stream()
                .allMatch(
                    container -> node.copy().admit(alone(container)) instanceof Decision.Granted)
        ? Optional.of(
            "each of its containers would find a place alone, but there is none for all of them"
                + " beside each other")
        : Optional.empty();
  }

  private Pod alone(Container container) {
    return Pod.of(
        pod.uid(), List.of(new Container(container.name(), Role.APP, container.resources())));
  }

  private String otherwise() {
    return "topology policy "
        + policy().kubernetesName()
        + " wants all that it asks for on "
        + (policy() == Policy.SINGLE_NUMA_NODE ? "one NUMA node" : "the same few NUMA nodes")
        + ", and what is free does not lie so";
  }

  private Policy policy() {
    return node.configuration().topology().policy();
  }
}
