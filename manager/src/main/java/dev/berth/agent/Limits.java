package dev.berth.agent;

import dev.berth.cgroup.Limit;
import dev.berth.cgroup.Quota;
import dev.berth.cgroup.Settings;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a container or a pod may use, from what it asks for, reckoned as Kubernetes does: a CPU is
 * 1024 shares and 100 ms of each 100 ms.
 */
final class Limits {
  private static final String HUGEPAGES = "hugepages-";
  private static final int LEAST_SHARES = 2;
  private static final int MOST_SHARES = 262_144;
  private static final long LEAST_QUOTA = 1_000;

  /** Of the usual period of 100 ms, the time that a thousandth of a CPU is. */
  private static final long MICROS_PER_MILLI_CPU = 100;

  private Limits() {}

  /**
   * The limits of a container.
   *
   * @param exclusive whether its CPUs are its own: then no quota keeps it from using them
   */
  static Settings of(Container container, boolean exclusive) {
    Resources resources = container.resources();
    return of(resources, exclusive, resources.limits().containsKey(Resources.MEMORY));
  }

  /** The limits of a pod as a whole: its own budget, or all its containers together. */
  static Settings of(Pod pod, boolean exclusive) {
    if (pod.budget().isPresent()) {
      Resources budget = pod.budget().get();
      return of(budget, exclusive, budget.limits().containsKey(Resources.MEMORY));
    }
    List<Container> lasting =
        pod.containers().stream().filter(c -> c.role() != Container.Role.INIT).toList();
    Settings settings =
        Settings.NONE
            .withWeight(shares(sum(lasting, c -> c.resources().request(Resources.CPU))))
            .withQuota(
                exclusive || !allLimited(pod, Resources.CPU)
                    ? Quota.unlimited()
                    : quota(most(pod, lasting, Resources.CPU)));
    return settings.withMemory(
        allLimited(pod, Resources.MEMORY)
            ? Limit.of(most(pod, lasting, Resources.MEMORY).value())
            : Limit.unlimited());
  }

  private static Settings of(Resources resources, boolean exclusive, boolean limited) {
    Settings settings =
        Settings.NONE
            .withWeight(shares(resources.request(Resources.CPU)))
            .withQuota(exclusive ? Quota.unlimited() : quota(resources.limit(Resources.CPU)))
            .withMemory(
                limited ? Limit.of(resources.limit(Resources.MEMORY).value()) : Limit.unlimited());
    for (Map.Entry<String, Quantity> limit : resources.limits().entrySet()) {
      if (limit.getKey().startsWith(HUGEPAGES)) {
        settings =
            settings.withHugepages(
                Quantity.parse(limit.getKey().substring(HUGEPAGES.length())).value(),
                Limit.of(limit.getValue().value()));
      }
    }
    return settings;
  }

  private static boolean allLimited(Pod pod, String resource) {
    return pod.containers().stream().allMatch(c -> c.resources().limits().containsKey(resource));
  }

  /** An init container may need more than all that come after it together. */
  private static Quantity most(Pod pod, List<Container> lasting, String resource) {
    Quantity most = sum(lasting, c -> c.resources().limit(resource));
    for (Container container : pod.containers()) {
      Quantity own = container.resources().limit(resource);
      most = own.compareTo(most) > 0 ? own : most;
    }
    return most;
  }

  private static Quantity sum(List<Container> containers, Function<Container, Quantity> amount) {
    return containers.stream().map(amount).reduce(Quantity.ZERO, Quantity::plus);
  }

  private static int shares(Quantity cpus) {
    long millis = Math.min(cpus.millis(), Integer.MAX_VALUE);
    return Math.clamp(millis * 1024 / 1000, LEAST_SHARES, MOST_SHARES);
  }

  private static Quota quota(Quantity cpus) {
    if (cpus.isZero()) {
      return Quota.unlimited();
    }
    long millis = Math.min(cpus.millis(), Integer.MAX_VALUE);
    return Quota.of(Math.max(LEAST_QUOTA, millis * MICROS_PER_MILLI_CPU));
  }
}
