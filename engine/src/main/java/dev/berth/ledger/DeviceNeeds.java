package dev.berth.ledger;

import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * How many devices a pod and its containers are owed, whatever the pod's QoS class.
 *
 * <p>Limits count: of a device nobody can use more than was requested. A limit of 0 is no request.
 */
final class DeviceNeeds {
  private final Pod pod;
  private final Predicate<String> isDevice;

  DeviceNeeds(Pod pod, Predicate<String> isDevice) {
    this.pod = pod;
    this.isDevice = isDevice;
  }

  /** What a container is owed, by resource. */
  SortedMap<String, Integer> of(Container container) {
    SortedMap<String, Integer> needs = null;
    for (String resource : container.resources().limits().keySet()) {
      int count = count(container, resource);
      if (count > 0 && isDevice.test(resource)) {
        needs = needs == null ? new TreeMap<>() : needs;
        needs.put(resource, count);
      }
    }
    return needs == null ? Collections.emptySortedMap() : needs;
  }

  private static int count(Container container, String resource) {
    Quantity limit = container.resources().limit(resource);
    return (int) Math.min(limit.value(), Integer.MAX_VALUE);
  }

  /** What the pod as a whole is owed: what its containers need at one time. */
  SortedMap<String, Integer> ofPod() {
    SortedSet<String> resources = new TreeSet<>();
    pod.containers().forEach(container -> resources.addAll(of(container).keySet()));
    SortedMap<String, Integer> needs = new TreeMap<>();
    resources.forEach(resource -> needs.put(resource, ofPod(resource)));
    return needs;
  }

  private int ofPod(String resource) {
    long most = 0;
    long lasting = 0;
    for (Container container : pod.containers()) {
      int count = count(container, resource);
      if (container.role() == Role.INIT) {
        most = Math.max(most, lasting + count);
      } else {
        lasting += count;
      }
    }
    return (int) Math.min(Math.max(most, lasting), Integer.MAX_VALUE);
  }
}
