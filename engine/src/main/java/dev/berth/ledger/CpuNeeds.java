package dev.berth.ledger;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.Optional;

/**
 * How many CPUs of their own a pod and its containers are owed.
 *
 * <p>Only guaranteed pods are owed any, and only whole numbers. Where a pod has a budget of its
 * own, the gate {@code PodLevelResourceManagers} decides: on, the budget counts, and of its
 * containers those that are guaranteed by themselves; off, the pod gets nothing of its own.
 */
final class CpuNeeds {
  private final Pod pod;
  private final boolean budgetsPlaced;

  CpuNeeds(Pod pod, FeatureGates gates) {
    this.pod = pod;
    budgetsPlaced =
        gates.isOn(Gate.POD_LEVEL_RESOURCE_MANAGERS) && gates.isOn(Gate.POD_LEVEL_RESOURCES);
  }

  /** Whether the pod has a budget that is placed as a whole. */
  boolean hasBudget() {
    return budgetsPlaced && pod.budget().isPresent();
  }

  /** Whether the pod has a budget that nobody here looks at. */
  boolean isIgnored() {
    return !budgetsPlaced && pod.budget().isPresent();
  }

  /** Whether a container gets what it asks for by itself, rather than a share of the pod's. */
  boolean isOwn(Container container) {
    return !isIgnored() && (!hasBudget() || isGuaranteed(container.resources()));
  }

  /** What a container is owed. */
  int of(Container container) {
    return isOwn(container) ? pod.exclusiveCpus(container) : 0;
  }

  private static boolean isGuaranteed(Resources resources) {
    return isFirm(resources, Resources.CPU) && isFirm(resources, Resources.MEMORY);
  }

  private static boolean isFirm(Resources resources, String name) {
    Quantity request = resources.request(name);
    return !request.isZero() && request.equals(resources.limit(name));
  }

  /** What the pod as a whole is owed: its budget, or what its containers need at one time. */
  int ofPod() {
    if (hasBudget()) {
      Quantity budget = pod.budget().orElse(Resources.NONE).request(Resources.CPU);
      boolean firm = pod.qosClass() == QosClass.GUARANTEED && budget.isWhole();
      return firm ? (int) Math.min(budget.value(), Integer.MAX_VALUE) : 0;
    }
    long most = 0;
    long lasting = 0;
    for (Container container : pod.containers()) {
      if (container.role() == Role.INIT) {
        most = Math.max(most, lasting + of(container));
      } else {
        lasting += of(container);
      }
    }
    return (int) Math.min(Math.max(most, lasting), Integer.MAX_VALUE);
  }

  /** Why the budget leaves nothing for a container that shares, if it does. */
  Optional<String> emptySharedPart() {
    long lasting = 0;
    boolean sharing = false;
    for (Container container : pod.containers()) {
      int own = of(container);
      if (container.role() == Role.INIT) {
        if (own == 0 && lasting >= ofPod()) {
          return Optional.of(
              "pod rejected, pod has shared init containers but no cpus available for them");
        }
        continue;
      }
      sharing |= own == 0;
      lasting += own;
    }
    return sharing && lasting >= ofPod()
        ? Optional.of(
            "pod rejected, sum of exclusive container cpu requests equals pod budget, leaving no"
                + " cpus for shared containers")
        : Optional.empty();
  }
}
