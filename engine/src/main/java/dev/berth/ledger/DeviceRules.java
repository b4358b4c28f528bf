package dev.berth.ledger;

import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules about devices that hold at every moment.
 *
 * <p>No device is with two pods, nor with two containers of one pod that can run at once; every
 * container of a running pod has exactly as many as it asked for; nobody who is gone has any.
 */
public final class DeviceRules {
  private DeviceRules() {}

  /**
   * What is broken, a line each; empty where all is well.
   *
   * @param running the pods that are in
   * @param resources the names that are resources of devices
   */
  public static List<String> broken(
      DeviceAssignments assignments, Collection<Pod> running, Set<String> resources) {
    List<String> broken = new ArrayList<>(twoPods(assignments));
    Set<String> uids = new HashSet<>();
    for (Pod pod : running) {
      uids.add(pod.uid());
      together(broken, pod, assignments);
      counts(broken, pod, assignments, resources);
    }
    assignments.ids().keySet().stream()
        .filter(pod -> !uids.contains(pod))
        .forEach(pod -> broken.add("pod " + pod + " is not in and has devices"));
    return broken;
  }

  static List<String> twoPods(DeviceAssignments assignments) {
    List<String> broken = new ArrayList<>();
    Map<Key, String> owners = new HashMap<>();
    assignments
        .ids()
        .forEach((pod, containers) ->
            containers
                .values()
                .forEach(resources ->
                    resources.forEach((resource, ids) ->
                        ids.forEach(id -> {
                          String owner = owners.putIfAbsent(new Key(resource, id), pod);
                          if (owner != null && !owner.equals(pod)) {
                            broken.add(
                                resource + " " + id + " is with pods " + owner + " and " + pod);
                          }
                        }))));
    return broken;
  }

  private record Key(String resource, String id) {}

  /** A sidecar or app runs beside all that start after it; an init container is over then. */
  private static void together(List<String> broken, Pod pod, DeviceAssignments assignments) {
    Map<Key, String> lasting = new HashMap<>();
    for (Container container : pod.containers()) {
      assignments
          .of(pod.uid(), container.name())
          .forEach((resource, ids) ->
              ids.forEach(id -> {
                Key key = new Key(resource, id);
                String beside = lasting.get(key);
                if (beside != null) {
                  broken.add(
                      resource
                          + " "
                          + id
                          + " is with containers "
                          + beside
                          + " and "
                          + container.name()
                          + " of pod "
                          + pod.uid());
                }
                if (container.role() != Container.Role.INIT) {
                  lasting.put(key, container.name());
                }
              }));
    }
  }

  private static void counts(
      List<String> broken, Pod pod, DeviceAssignments assignments, Set<String> resources) {
    DeviceNeeds needs = new DeviceNeeds(pod, resources::contains);
    for (Container container : pod.containers()) {
      Map<String, Integer> wanted = needs.of(container);
      Map<String, Integer> found = new HashMap<>();
      assignments
          .of(pod.uid(), container.name())
          .forEach((resource, ids) -> found.put(resource, ids.size()));
      if (!wanted.equals(found)) {
        broken.add(
            "container "
                + container.name()
                + " of pod "
                + pod.uid()
                + " asked for devices "
                + wanted
                + " and has "
                + found);
      }
    }
  }
}
