package dev.berth.workload;

import java.util.List;

/**
 * How firm a pod's claim is, derived from what its containers ask for, as Kubernetes derives it.
 */
public enum QosClass {
  /** Every container limits CPU and memory, and all requests equal the limits. */
  GUARANTEED("Guaranteed"),
  /** Something is asked for, but not as firmly as that. */
  BURSTABLE("Burstable"),
  /** Nothing is asked for. */
  BEST_EFFORT("BestEffort");

  private static final List<String> COUNTED = List.of(Resources.CPU, Resources.MEMORY);

  private final String kubernetesName;

  QosClass(String kubernetesName) {
    this.kubernetesName = kubernetesName;
  }

  /** The name that Kubernetes uses. */
  public String kubernetesName() {
    return kubernetesName;
  }

  /** The class of a pod whose budget this is. */
  static QosClass of(Resources budget) {
    return of(List.of(new Container("budget", Container.Role.APP, budget)));
  }

  /** The class of a pod of these containers. */
  static QosClass of(List<Container> containers) {
    boolean asksForSomething = false;
    boolean firm = true;
    for (String name : COUNTED) {
      Quantity requests = Quantity.ZERO;
      Quantity limits = Quantity.ZERO;
      for (Container container : containers) {
        Quantity limit = container.resources().limit(name);
        requests = requests.plus(container.resources().request(name));
        limits = limits.plus(limit);
        firm &= !limit.isZero();
      }
      asksForSomething |= !requests.isZero() || !limits.isZero();
      firm &= requests.equals(limits);
    }
    return !asksForSomething ? BEST_EFFORT : firm ? GUARANTEED : BURSTABLE;
  }
}
