package dev.berth.ledger;

import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Optional;

/**
 * Why a container that looks as if it asked for exclusive CPUs gets none, and which field to
 * change.
 *
 * <p>It looks so where it limits itself to one CPU or more, where it requests as many and its
 * memory is guaranteed, or where its pod is guaranteed and no container gets any. Kubernetes lets
 * it share without a word.
 *
 * @param container the one that requests the most
 * @param requested what it requests
 * @param cure what is missing, and the field to change
 */
public record WhyShared(String container, Quantity requested, String cure) {
  private static final Quantity ONE = Quantity.of(1);
  private static final List<String> FIRM = List.of(Resources.CPU, Resources.MEMORY);

  /** Of a pod that is admitted; none under CPU policy none, and where nothing surprises. */
  public static Optional<WhyShared> of(Pod pod, Configuration configuration) {
    if (configuration.cpuPolicy() != CpuPolicy.STATIC) {
      return Optional.empty();
    }
    CpuNeeds needs = new CpuNeeds(pod, configuration.gates());
    return surprised(pod, needs)
        .map(one -> new WhyShared(one.name(), requested(one), cure(pod, one, needs)));
  }

  /**
   * Of a container whose pod is not known as a whole, such as one of another runtime: what the
   * other containers ask for is not told.
   */
  public static Optional<WhyShared> ofPart(Pod part, Configuration configuration) {
    return of(part, configuration)
        .map(why ->
            part.qosClass() == QosClass.GUARANTEED
                ? why
                : new WhyShared(
                    why.container(),
                    why.requested(),
                    "its pod is "
                        + part.qosClass().kubernetesName()
                        + "; set limits.cpu and limits.memory in every container of the pod, and"
                        + " requests to the same or not at all"));
  }

  /**
   * The line for a person.
   *
   * @param allocated where it runs instead, such as {@code shared pool 0,4-7}
   */
  public String line(String allocated) {
    return "container "
        + container
        + " requests "
        + requested
        + (requested.equals(ONE) ? " CPU" : " CPUs")
        + " and gets no exclusive ones, it runs on the "
        + allocated
        + ": "
        + cure;
  }

  /** The container that requests the most of those that share and do not look so. */
  private static Optional<Container> surprised(Pod pod, CpuNeeds needs) {
    boolean noneIsOwed = pod.containers().stream().allMatch(one -> needs.of(one) == 0);
    boolean guaranteed = noneIsOwed && pod.qosClass() == QosClass.GUARANTEED;
    Container most = null;
    for (Container one : pod.containers()) {
      boolean shares = needs.of(one) == 0 && !requested(one).isZero();
      if (shares
          && (guaranteed || looksGuaranteed(one.resources()))
          && (most == null || requested(one).compareTo(requested(most)) > 0)) {
        most = one;
      }
    }
    return Optional.ofNullable(most);
  }

  private static boolean looksGuaranteed(Resources resources) {
    Quantity request = resources.request(Resources.CPU);
    Quantity memory = resources.limit(Resources.MEMORY);
    return resources.limit(Resources.CPU).compareTo(ONE) >= 0
        || (request.compareTo(ONE) >= 0
            && !memory.isZero()
            && memory.equals(resources.request(Resources.MEMORY)));
  }

  private static Quantity requested(Container container) {
    return container.resources().request(Resources.CPU);
  }

  private static String cure(Pod pod, Container container, CpuNeeds needs) {
    if (needs.isIgnored()) {
      return "spec.resources gives the pod a budget, and no CPUs are exclusive in it; turn on the"
          + " feature gate PodLevelResourceManagers, or remove spec.resources";
    }
    if (pod.qosClass() != QosClass.GUARANTEED) {
      return (pod.budget().isPresent()
              ? offence("spec", pod.budget().get())
              : offence(pod, container))
          .orElse("requests and limits differ");
    }
    return offence(path(container), container.resources())
        .orElseGet(() ->
            path(container)
                + ".resources.limits.cpu is "
                + requested(container)
                + "; set a whole number");
  }

  /** What keeps a pod from being guaranteed: in this container, or else in the first other. */
  private static Optional<String> offence(Pod pod, Container container) {
    Optional<String> own = offence(path(container), container.resources());
    return own.isPresent()
        ? own
        : pod.containers().stream()
            .flatMap(one -> offence(path(one), one.resources()).stream())
            .findFirst();
  }

  private static Optional<String> offence(String path, Resources resources) {
    for (String name : FIRM) {
      String limits = path + ".resources.limits." + name;
      Quantity limit = resources.limit(name);
      Quantity request = resources.request(name);
      if (limit.isZero()) {
        return Optional.of(
            limits
                + " is not set; only a pod whose containers all limit cpu and memory gets exclusive"
                + " CPUs");
      }
      if (!limit.equals(request)) {
        return Optional.of(
            limits
                + " is "
                + shown(name, limit)
                + " and requests."
                + name
                + " "
                + (request.isZero() ? "is not set" : "is " + shown(name, request))
                + "; set both to the same");
      }
    }
    return Optional.empty();
  }

  private static String shown(String name, Quantity amount) {
    return name.equals(Resources.MEMORY) ? Bytes.shown(amount.value()) : amount.toString();
  }

  private static String path(Container container) {
    boolean init = container.role() != Role.APP;
    return (init ? "spec.initContainers[" : "spec.containers[") + container.name() + "]";
  }
}
