package dev.berth.workload;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** The class of a pod whose parts ask for these: its containers, or its budget alone. */
  static QosClass of(Collection<Resources> parts) {
    Map<String, Quantity> requests = new HashMap<>();
    Map<String, Quantity> limits = new HashMap<>();
    boolean allLimited = true;
    for (Resources part : parts) {
      for (String name : COUNTED) {
        add(requests, name, part.request(name));
        add(limits, name, part.limit(name));
        allLimited &= !part.limit(name).isZero();
      }
    }
    if (requests.isEmpty() && limits.isEmpty()) {
      return BEST_EFFORT;
    }
    return allLimited && requests.equals(limits) ? GUARANTEED : BURSTABLE;
  }

  private static void add(Map<String, Quantity> sums, String name, Quantity amount) {
    if (!amount.isZero()) {
      sums.merge(name, amount, Quantity::plus);
    }
  }
}
