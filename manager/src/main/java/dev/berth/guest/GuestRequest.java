package dev.berth.guest;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a container of another runtime asks for.
 *
 * @param pod the container as a pod of its own, for the engine
 * @param unknown what could not be known, a line each
 */
public record GuestRequest(Pod pod, List<String> unknown) {
  /** A pod's annotation {@code resources.berth.dev/CONTAINER: "example.com/nic=1,…"}. */
  public static final String ANNOTATION = "resources.berth.dev/";

  /** Kubernetes gives so many shares to one that requests nothing. */
  private static final long FEWEST_SHARES = 2;

  private static final long SHARES = 1_024;

  /** Microseconds; the kernel takes no more, so nobody runs with more. */
  private static final long LONGEST_PERIOD = 1_000_000;

  private static final long MILLIS = 1_000;

  /** Takes a copy. */
  public GuestRequest {
    unknown = List.copyOf(unknown);
  }

  /**
   * Reads what a container asks for.
   *
   * @throws InvalidInputException where an annotation of ours cannot be understood
   */
  public static GuestRequest of(GuestContainer container) {
    Allowance allowance = container.allowance();
    Map<String, Quantity> asked = annotated(container);
    List<String> unknown = new ArrayList<>();
    Optional<Quantity> limit =
        cpuLimit(allowance).or(() -> Optional.ofNullable(asked.get(Resources.CPU)));
    Optional<Quantity> request = cpuRequest(allowance).or(() -> limit);
    Optional<Quantity> memory =
        allowance.memory() > 0
            ? Optional.of(Quantity.of(allowance.memory()))
            : Optional.ofNullable(asked.get(Resources.MEMORY));
    QosClass qos =
        GroupName.qos(container.cgroupParent())
            .orElseGet(() -> fromAmounts(limit, request, memory));
    asked.remove(Resources.CPU);
    asked.remove(Resources.MEMORY);
    allowance
        .hugepages()
        .forEach((size, bytes) -> {
          if (bytes > 0) {
            asked.put(hugepages(size), Quantity.of(bytes));
          }
        });
    Resources resources = resources(qos, limit, request, memory, asked, unknown);
    Pod pod =
        Pod.of(container.uid(), List.of(new Container(container.name(), Role.APP, resources)));
    return new GuestRequest(pod, unknown);
  }

  /**
   * The same without some resources, with a line for each that it asked for.
   *
   * @param why what the line says of it
   */
  public GuestRequest without(Predicate<String> resources, String why) {
    Container container = pod.containers().getFirst();
    Resources all = container.resources();
    List<String> lacking = all.limits().keySet().stream().filter(resources).sorted().toList();
    if (lacking.isEmpty()) {
      return this;
    }
    List<String> lines = new ArrayList<>(unknown);
    lacking.forEach(resource -> lines.add(container.name() + ": " + resource + why));
    Resources rest = new Resources(rest(all.requests(), resources), rest(all.limits(), resources));
    return new GuestRequest(
        Pod.of(pod.uid(), List.of(new Container(container.name(), container.role(), rest))), lines);
  }

  private static Map<String, Quantity> rest(
      Map<String, Quantity> amounts, Predicate<String> without) {
    Map<String, Quantity> rest = new HashMap<>(amounts);
    rest.keySet().removeIf(without);
    return rest;
  }

  private static Resources resources(
      QosClass qos,
      Optional<Quantity> limit,
      Optional<Quantity> request,
      Optional<Quantity> memory,
      Map<String, Quantity> others,
      List<String> unknown) {
    // The kubelet may have left out the quota of a guaranteed container; its shares tell the same.
    Optional<Quantity> cpus = limit.or(() -> request);
    Map<String, Quantity> requests = new HashMap<>(others);
    Map<String, Quantity> limits = new HashMap<>(others);
    switch (qos) {
      case GUARANTEED -> {
        if (cpus.isEmpty() || memory.isEmpty()) {
          unknown.add(
              "its group says guaranteed, but the runtime was told no "
                  + (cpus.isEmpty() ? "CPU" : "memory")
                  + " limit: it runs on the shared pool");
        }
        cpus.ifPresent(amount -> put(Resources.CPU, amount, requests, limits));
        memory.ifPresent(amount -> put(Resources.MEMORY, amount, requests, limits));
      }
      case BURSTABLE -> {
        // What memory it requests nobody can tell from outside; its limit would make it guaranteed.
        request.or(() -> limit).ifPresent(amount -> requests.put(Resources.CPU, amount));
        limit.ifPresent(amount -> limits.put(Resources.CPU, amount));
        if (requests.isEmpty()) {
          memory.ifPresent(amount -> requests.put(Resources.MEMORY, amount));
        }
      }
      case BEST_EFFORT -> {}
    }
    return new Resources(requests, limits);
  }

  private static void put(
      String resource,
      Quantity amount,
      Map<String, Quantity> requests,
      Map<String, Quantity> limits) {
    requests.put(resource, amount);
    limits.put(resource, amount);
  }

  /** Outside Kubernetes' groups, what the class would be if this were all of the pod. */
  private static QosClass fromAmounts(
      Optional<Quantity> limit, Optional<Quantity> request, Optional<Quantity> memory) {
    if (limit.isPresent() && memory.isPresent() && limit.equals(request)) {
      return QosClass.GUARANTEED;
    }
    return request.isEmpty() && memory.isEmpty() ? QosClass.BEST_EFFORT : QosClass.BURSTABLE;
  }

  private static Optional<Quantity> cpuLimit(Allowance allowance) {
    return allowance.quota() > 0 && allowance.period() > 0 && allowance.period() <= LONGEST_PERIOD
        ? Optional.of(Quantity.ofMillis(ceiling(allowance.quota(), MILLIS, allowance.period())))
        : Optional.empty();
  }

  private static Optional<Quantity> cpuRequest(Allowance allowance) {
    return allowance.shares() > FEWEST_SHARES
        ? Optional.of(Quantity.ofMillis(ceiling(allowance.shares(), MILLIS, SHARES)))
        : Optional.empty();
  }

  private static long ceiling(long amount, long factor, long divisor) {
    long most = Long.MAX_VALUE / factor - divisor;
    return (Math.min(amount, most) * factor + divisor - 1) / divisor;
  }

  /** In Kubernetes' groups the pod's own words count, and nothing else. */
  private static Map<String, Quantity> annotated(GuestContainer container) {
    Allowance allowance = container.allowance();
    boolean kubernetes = GroupName.isKubernetes(container.cgroupParent());
    return Annotated.of(
        container,
        kubernetes || cpuLimit(allowance).or(() -> cpuRequest(allowance)).isPresent(),
        kubernetes || allowance.memory() > 0);
  }

  /** The kernel says {@code 64KB} where Kubernetes says {@code 64Ki}. */
  private static String hugepages(String size) {
    return "hugepages-" + size.replaceFirst("B$", "i");
  }
}
