package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.MemorySettings;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads {@code reservedMemory} and compares it with what is reserved elsewhere.
 *
 * @param kubelets whether a kubelet's rules hold to the letter
 * @param field the setting
 * @param policy the setting that makes it count, for errors where there is no other
 */
record MemoryReservationReader(
    boolean kubelets, Optional<YamlField> field, Optional<YamlField> policy) {
  private static final String HUGEPAGES = "hugepages-";

  /** Bytes by NUMA node and kind of memory. */
  Map<Integer, Map<String, Long>> read() {
    Map<Integer, Map<String, Long>> reserved = new TreeMap<>();
    for (YamlField entry : field.map(YamlField::items).orElse(List.of())) {
      Optional<YamlField> limits = entry.field("limits");
      entry.expectKeys(List.of("numaNode", "limits"));
      Map<String, Long> node = reserved.computeIfAbsent(node(entry), _ -> new TreeMap<>());
      for (Map.Entry<String, YamlField> limit :
          limits.orElseThrow(() -> entry.error("limits in it", "none")).fields().entrySet()) {
        put(node, limit.getKey(), limit.getValue());
      }
    }
    return reserved;
  }

  private int node(YamlField entry) {
    Optional<YamlField> node = entry.field("numaNode");
    if (node.isEmpty() && !kubelets) {
      throw entry.error("numaNode in it", "none");
    }
    // A kubelet takes a number that is not there for 0.
    if (node.isEmpty()) {
      return 0;
    }
    if (!node.get().text().matches("0|[1-9][0-9]{0,5}")) {
      throw node.get().error("the number of a NUMA node");
    }
    return Integer.parseInt(node.get().text());
  }

  private static void put(Map<String, Long> node, String type, YamlField limit) {
    if (!type.equals(Resources.MEMORY) && !type.startsWith(HUGEPAGES)) {
      throw limit.error("memory or " + HUGEPAGES + "SIZE", '"' + YamlField.shown(type) + '"');
    }
    long bytes = Quantities.bytes(limit);
    if (bytes == 0) {
      throw limit.error("more than 0");
    }
    if (node.put(type, bytes) != null) {
      throw limit.error("every kind of memory of a NUMA node once", type + " again");
    }
  }

  /**
   * A kubelet's rule: of every kind, all nodes together have reserved just what is reserved in all,
   * and that is nothing for hugepages. In a file of our own it holds for memory, and only where
   * memory is reserved elsewhere too.
   */
  void check(MemorySettings memory, SystemMemory elsewhere) {
    Map<String, Quantity> sums = new TreeMap<>();
    sums.put(Resources.MEMORY, Quantity.ZERO);
    for (Map<String, Long> node : memory.reserved().values()) {
      node.forEach((type, bytes) -> sums.merge(type, Quantity.of(bytes), Quantity::plus));
    }
    sums.forEach((type, sum) -> {
      if (type.equals(Resources.MEMORY)) {
        boolean counts = kubelets ? elsewhere.eviction().isPresent() : elsewhere.isNamed();
        if (counts && !sum.equals(elsewhere.sum())) {
          throw error("memory of all NUMA nodes to come to " + elsewhere, sum);
        }
      } else if (kubelets) {
        throw error("no " + type + ", as a kubelet has it: none is reserved elsewhere", sum);
      }
    });
  }

  private InvalidInputException error(String expected, Quantity found) {
    YamlField place =
        field.or(() -> policy).orElseThrow(() -> new IllegalStateException("nothing to check"));
    return place.error(expected, Quantities.binary(found));
  }
}
