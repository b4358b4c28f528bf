package dev.berth.workload;

import dev.berth.cpu.InvalidInputException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A pod: containers that come and go together.
 *
 * <p>Immutable, and safe for use by any number of threads.
 */
public final class Pod {
  private final String uid;
  private final List<Container> containers;
  private final Optional<Resources> budget;
  private final QosClass qosClass;
  private final List<String> ephemeral;

  private Pod(
      String uid, List<Container> containers, Optional<Resources> budget, List<String> ephemeral) {
    this.uid = uid;
    this.ephemeral = ephemeral;
    this.containers = containers;
    this.budget = budget;
    this.qosClass = budget.isPresent() ? QosClass.of(budget.get()) : QosClass.of(containers);
  }

  /**
   * A pod of these containers.
   *
   * @param uid what the pod is known by; no two at a time have the same
   * @param containers init containers and sidecars in the order of their start, then the others
   * @throws InvalidInputException where the order is another, a name comes twice, or none is an app
   */
  public static Pod of(String uid, List<Container> containers) {
    return of(uid, containers, Optional.empty());
  }

  /** A pod of these containers with a budget of its own, which they share. */
  public static Pod of(String uid, List<Container> containers, Optional<Resources> budget) {
    if (uid.isEmpty()) {
      throw new InvalidInputException("pod: expected a uid, found none");
    }
    boolean apps = false;
    for (int i = 0; i < containers.size(); i++) {
      Container container = containers.get(i);
      if (isNamed(containers.subList(0, i), container.name())) {
        throw new InvalidInputException(
            "pod " + uid + ": expected every container once, found " + container.name() + " again");
      }
      if (apps && container.role() != Container.Role.APP) {
        throw new InvalidInputException(
            "pod "
                + uid
                + ": expected init containers before the others, found "
                + container.name()
                + " after them");
      }
      apps |= container.role() == Container.Role.APP;
    }
    if (!apps) {
      throw new InvalidInputException(
          "pod " + uid + ": expected at least one container, found none");
    }
    return new Pod(uid, List.copyOf(containers), budget, List.of());
  }

  /** Pods have few containers, so looking through them beats a set of names. */
  private static boolean isNamed(List<Container> containers, String name) {
    for (Container container : containers) {
      if (container.name().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** A guaranteed pod of one container, {@code app}, with so many CPUs and 1 GiB of memory. */
  public static Pod guaranteed(String uid, int cpus) {
    Map<String, Quantity> amounts =
        Map.of(Resources.CPU, Quantity.of(cpus), Resources.MEMORY, Quantity.of(1L << 30));
    return of(
        uid, List.of(new Container("app", Container.Role.APP, Resources.guaranteed(amounts))));
  }

  /**
   * The same pod with an ephemeral container in it, such as a debugger.
   *
   * <p>It asks for nothing and is none of {@link #containers}, so it cannot alter a decision: it
   * runs on the shared pool, and a pod that is in stays in.
   *
   * @throws InvalidInputException where a container has that name already
   */
  public Pod withEphemeral(String name) {
    if (isNamed(containers, name) || ephemeral.contains(name)) {
      throw new InvalidInputException(
          "pod " + uid + ": expected every container once, found " + name + " again");
    }
    List<String> more = Stream.concat(ephemeral.stream(), Stream.of(name)).toList();
    return new Pod(uid, containers, budget, more);
  }

  /** The names of its ephemeral containers. */
  public List<String> ephemeral() {
    return ephemeral;
  }

  /** What the pod is known by. */
  public String uid() {
    return uid;
  }

  /** Its containers in the order in which they are given CPUs: init and sidecars first. */
  public List<Container> containers() {
    return containers;
  }

  /** Its own budget, where it has one. */
  public Optional<Resources> budget() {
    return budget;
  }

  /** How firm its claim is. */
  public QosClass qosClass() {
    return qosClass;
  }

  /**
   * How many CPUs of its own the static policy owes a container: its request, where the pod is
   * guaranteed and the request a whole number; 0 for one that runs on the shared pool.
   */
  public int exclusiveCpus(Container container) {
    if (qosClass != QosClass.GUARANTEED) {
      return 0;
    }
    Quantity request = container.resources().request(Resources.CPU);
    return request.isWhole() ? (int) Math.min(request.value(), Integer.MAX_VALUE) : 0;
  }

  /** The names of its containers. */
  public Stream<String> names() {
    return containers.stream().map(Container::name);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pod pod
        && uid.equals(pod.uid)
        && containers.equals(pod.containers)
        && budget.equals(pod.budget)
        && ephemeral.equals(pod.ephemeral);
  }

  @Override
  public int hashCode() {
    return uid.hashCode();
  }

  @Override
  public String toString() {
    return uid;
  }
}
