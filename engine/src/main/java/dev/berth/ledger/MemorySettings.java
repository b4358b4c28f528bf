package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The memory manager's settings.
 *
 * @param policy what is done about memory
 * @param reserved what is kept back for the system: by NUMA node and resource ({@code memory},
 *     {@code hugepages-2Mi}, …), in bytes
 */
public record MemorySettings(Policy policy, Map<Integer, Map<String, Long>> reserved) {
  /** Memory comes from wherever the kernel likes. */
  public static final MemorySettings NONE = new MemorySettings(Policy.NONE, Map.of());

  /** What is done about memory, by Kubernetes' names. */
  public enum Policy {
    /** Nothing. */
    NONE("None"),
    /** Guaranteed pods get memory and hugepages from NUMA nodes that are counted. */
    STATIC("Static");

    private final String kubernetesName;

    Policy(String kubernetesName) {
      this.kubernetesName = kubernetesName;
    }

    /** The name in configuration files and checkpoints. */
    public String kubernetesName() {
      return kubernetesName;
    }

    /** The policy of that name. */
    public static Policy named(String name) {
      for (Policy policy : values()) {
        if (policy.kubernetesName.equals(name)) {
          return policy;
        }
      }
      throw new InvalidInputException(
          "memoryManagerPolicy: expected None or Static, found \"" + name + "\"");
    }
  }

  /** Takes copies, and refuses amounts below 0. */
  public MemorySettings {
    reserved =
        reserved.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, node -> Map.copyOf(node.getValue())));
    for (Map.Entry<Integer, Map<String, Long>> node : new TreeMap<>(reserved).entrySet()) {
      new TreeMap<>(node.getValue())
          .forEach((resource, bytes) -> {
            if (bytes < 0) {
              throw new InvalidInputException(
                  "reservedMemory: node "
                      + node.getKey()
                      + ": "
                      + resource
                      + ": expected 0 or more, found "
                      + bytes);
            }
          });
    }
  }

  /** What is reserved of a resource on a node. */
  long reserved(int node, String resource) {
    return reserved.getOrDefault(node, Map.of()).getOrDefault(resource, 0L);
  }
}
