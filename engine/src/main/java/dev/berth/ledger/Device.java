package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;

/**
 * A device that a pod may ask for by its resource, such as a GPU or a network card's function.
 *
 * @param resource what it counts as, for example {@code vendor.example/gpu}
 * @param id its name among the devices of this resource
 * @param nodes the NUMA nodes that it is near: none where it is near nobody, several where it sits
 *     between them. Nodes that the machine does not have are ignored.
 * @param healthy whether it may be given to anybody
 */
public record Device(String resource, String id, NodeSet nodes, boolean healthy) {
  /** Refuses names that no device plugin could use. */
  public Device {
    if (resource.indexOf('/') < 1 || resource.endsWith("/")) {
      throw new InvalidInputException(
          "device: expected a resource such as vendor.example/gpu, found \"" + resource + "\"");
    }
    if (id.isEmpty()) {
      throw new InvalidInputException("device of " + resource + ": expected an id, found none");
    }
  }

  /** A healthy device near these nodes. */
  public static Device of(String resource, String id, int... nodes) {
    return new Device(resource, id, NodeSet.of(nodes), true);
  }

  /** The same device, well or not. */
  public Device withHealth(boolean isHealthy) {
    return new Device(resource, id, nodes, isHealthy);
  }
}
