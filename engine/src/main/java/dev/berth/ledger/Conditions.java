package dev.berth.ledger;

import dev.berth.workload.Container;
import dev.berth.workload.ExtendedResource;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a node agent that starts pods itself has against a pod that the managers admit.
 *
 * <p>The agent, the simulator and whoever explains ask the same object, so that a prediction is the
 * agent's own answer.
 *
 * @param poolInUse whether a container runs on the shared pool already
 * @param mayEmptyPool whether the last shared CPU may be given away all the same
 * @param limitsHugepages whether the kernel enforces limits of hugepages
 * @param elsewhere resources whose devices are known to exist, but not to this node
 */
public record Conditions(
    boolean poolInUse, boolean mayEmptyPool, boolean limitsHugepages, Set<String> elsewhere) {
  /** What is said of a pod with hugepages where no kernel can be asked. */
  public static final String HUGEPAGES_UNSEEN =
      "hugepages: the agent refuses them where the kernel has no hugetlb controller";

  private static final String UNEXPECTED = "UnexpectedAdmissionError";

  /** Takes a copy. */
  public Conditions {
    elsewhere = Set.copyOf(elsewhere);
  }

  /**
   * What speaks against a pod, if anything.
   *
   * @param after the node with the pod on it
   */
  public Optional<Objection> against(Pod pod, Node after) {
    if (!limitsHugepages && asksForHugepages(pod)) {
      return Optional.of(
          new Objection(
              "Unsupported",
              "hugepages: expected the hugetlb controller, found none on this machine, so their"
                  + " limit would not hold"));
    }
    return emptied(pod, after, poolInUse, mayEmptyPool).or(() -> unconnected(pod, after));
  }

  /**
   * Why a pod that was granted its CPUs cannot stay: a container would be left without any.
   *
   * @param inUse whether a container of another pod runs on the shared pool
   * @param allowed whether the last shared CPU may be given away all the same
   */
  public static Optional<Objection> emptied(Pod pod, Node after, boolean inUse, boolean allowed) {
    if (!after.shared().isEmpty()) {
      return Optional.empty();
    }
    boolean shares = false;
    boolean takes = false;
    for (Container container : pod.containers()) {
      boolean own = after.cpusOf(pod.uid(), container.name()).isPresent();
      shares |= !own;
      takes |= own;
    }
    if (!takes) {
      return empty("the shared pool is empty, so there is no CPU for it to run on");
    }
    return (inUse || shares) && !allowed
        ? empty(
            "it would take the last CPU of the shared pool, on which containers run"
                + " (berth.allowEmptySharedPool permits that, unless CPUs are isolated)")
        : Optional.empty();
  }

  private static Optional<Objection> empty(String message) {
    return Optional.of(new Objection("EmptySharedPool", message));
  }

  /** Whether a pod asks for hugepages of any size. */
  public static boolean asksForHugepages(Pod pod) {
    return pod.containers().stream()
        .flatMap(container -> container.resources().limits().keySet().stream())
        .anyMatch(name -> name.startsWith(MemoryStock.HUGEPAGES));
  }

  /**
   * Devices that no container was given. The engine passes over names that it has never heard, as
   * the kubelet does, for which a scheduler has looked before.
   */
  private Optional<Objection> unconnected(Pod pod, Node after) {
    return pod.names()
        .flatMap(name -> missing(pod, name, given(after, pod.uid(), name)).stream())
        .filter(resource -> !elsewhere.contains(resource))
        .findFirst()
        .map(resource -> new Objection(UNEXPECTED, unconnected(resource)));
  }

  /** What a container was given, and what providers from outside give. */
  private static Set<String> given(Node after, String uid, String container) {
    Set<String> given = new HashSet<>(after.deviceAssignments().of(uid, container).keySet());
    given.addAll(after.otherResources());
    return given;
  }

  /**
   * The first resource by name that a container asks for and was given nothing of.
   *
   * @param given the resources of which it was given some
   */
  public static Optional<String> missing(Pod pod, String container, Set<String> given) {
    String missing = "";
    for (Container one : pod.containers()) {
      for (Map.Entry<String, Quantity> limit : one.resources().limits().entrySet()) {
        String resource = limit.getKey();
        if (one.name().equals(container)
            && ExtendedResource.isName(resource)
            && limit.getValue().value() > 0
            && !given.contains(resource)
            && (missing.isEmpty() || resource.compareTo(missing) < 0)) {
          missing = resource;
        }
      }
    }
    return Optional.of(missing).filter(resource -> !resource.isEmpty());
  }

  /** What is said of a resource that the machine lacks. */
  public static String unconnected(String resource) {
    return "device plugin of " + resource + ": expected one that is connected, found none";
  }
}
