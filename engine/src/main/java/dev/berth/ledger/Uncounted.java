package dev.berth.ledger;

import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.ExtendedResource;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Requests that no manager counts, added up over the pods that are there at one time.
 *
 * <p>A manager that is off refuses nothing, and requests of pods that share are a promise of the
 * scheduler's. So an admission says nothing about them; this tells where they exceed the machine.
 */
public final class Uncounted {
  private static final int MILLIS = 1_000;

  /** The most of a resource at one time, and what there was of it then. */
  private record Peak(long amount, long capacity) {
    long excess() {
      return amount - capacity;
    }
  }

  private final Node node;
  private final SortedMap<String, Long> sums = new TreeMap<>();
  private final SortedMap<String, Peak> peaks = new TreeMap<>();
  private final SortedSet<String> unknown = new TreeSet<>();

  /** Nobody is there yet. */
  public Uncounted(Node node) {
    this.node = node;
  }

  /** A pod is admitted. */
  public void add(Pod pod) {
    requests(pod)
        .forEach((resource, amount) -> {
          long sum = sums.merge(resource, amount, Uncounted::sum);
          Peak now = new Peak(sum, capacity(resource));
          Peak before = peaks.get(resource);
          if (before == null || now.excess() > before.excess()) {
            peaks.put(resource, now);
          }
        });
  }

  /** A pod that was added has left. */
  public void remove(Pod pod) {
    requests(pod)
        .forEach((resource, amount) ->
            sums.computeIfPresent(resource, (name, sum) -> Math.max(0, sum - amount)));
  }

  private static long sum(long one, long other) {
    long sum = one + other;
    return sum < one ? Long.MAX_VALUE : sum;
  }

  /** What was asked for and not checked, by resource, a line each; none where all of it fits. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    peaks.forEach((resource, peak) -> {
      if (peak.excess() > 0 || (isMemory(resource) && node.machine().isMemoryAssumed())) {
        lines.add(line(resource, peak));
      }
    });
    unknown.forEach(resource -> lines.add(resource + ": nothing here counts it"));
    return List.copyOf(lines);
  }

  private String line(String resource, Peak peak) {
    if (resource.equals(Resources.CPU)) {
      return "cpu: containers on the shared pool request "
          + cpus(peak.amount())
          + " together, the pool has "
          + cpus(peak.capacity())
          + "; requests of shared CPUs are not counted";
    }
    String has =
        node.machine().isMemoryAssumed()
            ? "the machine's memory is not stated"
            : "the machine has " + (peak.capacity() > 0 ? Bytes.shown(peak.capacity()) : "none");
    String why =
        node.configuration().memory().policy() == MemorySettings.Policy.NONE
            ? "memory policy None does not count it"
            : "memory policy Static counts it for guaranteed pods only";
    return resource + ": " + Bytes.shown(peak.amount()) + " requested, " + has + "; " + why;
  }

  private static String cpus(long millis) {
    return millis % MILLIS == 0 ? millis / MILLIS + " CPUs" : millis + "m CPUs";
  }

  /** What there is of a resource: CPUs in thousandths, memory in bytes. */
  private long capacity(String resource) {
    if (resource.equals(Resources.CPU)) {
      return (long) MILLIS * node.shared().size();
    }
    long all = 0;
    for (var place : node.machine().nodes()) {
      long huge = 0;
      for (Map.Entry<Long, Long> pages : place.memory().hugepages().entrySet()) {
        long bytes = pages.getKey() * 1024 * pages.getValue();
        huge += bytes;
        all += resource.equals(MemoryStock.hugepages(pages.getKey())) ? bytes : 0;
      }
      all += resource.equals(Resources.MEMORY) ? place.memory().bytes() - huge : 0;
    }
    return all;
  }

  /** What a pod needs at one time of what is not counted. */
  private SortedMap<String, Long> requests(Pod pod) {
    Set<String> names = new HashSet<>(pod.budget().orElse(Resources.NONE).requests().keySet());
    pod.containers().forEach(container -> names.addAll(container.resources().requests().keySet()));
    SortedMap<String, Long> requests = new TreeMap<>();
    for (String resource : names) {
      if (resource.equals(Resources.CPU) || isUncountedMemory(pod, resource)) {
        requests.put(resource, ofPod(pod, resource));
      } else if (!isMemory(resource) && !ExtendedResource.isName(resource)) {
        unknown.add(resource);
      }
    }
    return requests;
  }

  private boolean isUncountedMemory(Pod pod, String resource) {
    boolean counted =
        node.configuration().memory().policy() == MemorySettings.Policy.STATIC
            && pod.qosClass() == QosClass.GUARANTEED;
    return isMemory(resource) && !counted;
  }

  private static boolean isMemory(String resource) {
    return resource.equals(Resources.MEMORY) || resource.startsWith(MemoryStock.HUGEPAGES);
  }

  /** As a scheduler adds it up: an init container may need more than all that last. */
  private long ofPod(Pod pod, String resource) {
    boolean cpu = resource.equals(Resources.CPU);
    CpuNeeds needs = new CpuNeeds(pod, node.configuration().gates());
    if (pod.budget().isPresent() && pod.budget().get().requests().containsKey(resource)) {
      Quantity budget = pod.budget().get().request(resource);
      return cpu && managesCpus() && needs.ofPod() > 0 ? 0 : amount(budget, cpu);
    }
    long lasting = 0;
    long most = 0;
    for (Container container : pod.containers()) {
      long amount = amount(container.resources().request(resource), cpu);
      long counted = cpu && managesCpus() && needs.of(container) > 0 ? 0 : amount;
      if (container.role() == Role.INIT) {
        most = Math.max(most, sum(lasting, counted));
      } else {
        lasting = sum(lasting, counted);
      }
    }
    return Math.max(most, lasting);
  }

  private boolean managesCpus() {
    return node.configuration().cpuPolicy() == CpuPolicy.STATIC;
  }

  private static long amount(Quantity quantity, boolean cpu) {
    return cpu ? quantity.millis() : quantity.value();
  }
}
