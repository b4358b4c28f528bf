package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NodeMemory;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Several resources that each need many of 64 nodes, by closeness: hard in principle. */
class BoundedMergeTest {
  private static final long SEED = 7;
  private static final int NODES = 64;
  private static final long GIB = 1L << 30;

  private final Random random = new Random(SEED);

  @Test
  void aSearchThatIsCutShortIsCountedAndBreaksNoRule() {
    int admitted = 0;
    long bounded = 0;
    for (int round = 0; round < 60 && bounded == 0; round++) {
      Node node = Node.start(machine(), configuration());
      for (int pod = 0; pod < 3; pod++) {
        Decision decision = node.admit(pod("p" + pod));
        admitted += decision instanceof Decision.Granted ? 1 : 0;
        assertThat(node.rules().orElseThrow().broken(node.assignments(), List.of())).isEmpty();
      }
      bounded = node.boundedMerges();
    }
    assertThat(bounded).as("from seed " + SEED).isPositive();
    assertThat(admitted).isPositive();
  }

  private Machine machine() {
    MachineBuilder builder = Machine.builder("uneven");
    int cpu = 0;
    int[][] distances = new int[NODES][NODES];
    for (int node = 0; node < NODES; node++) {
      for (int i = 1 + random.nextInt(16); i > 0; i--) {
        builder.cpu(cpu, cpu, node / 8, node, node);
        cpu++;
      }
      builder.memory(node, NodeMemory.of((2 + random.nextInt(30)) * GIB, Map.of()));
      for (int other = 0; other < node; other++) {
        distances[node][other] = 11 + random.nextInt(40);
        distances[other][node] = distances[node][other];
      }
      distances[node][node] = 10;
    }
    return builder.distances(distances).build();
  }

  private static Configuration configuration() {
    Map<Integer, Map<String, Long>> reserved = new HashMap<>();
    for (int node = 0; node < NODES; node++) {
      reserved.put(node, Map.of("memory", GIB));
    }
    return Configuration.staticPolicy(Quantity.of(1))
        .with(new MemorySettings(MemorySettings.Policy.STATIC, reserved))
        .with(
            new TopologySettings(
                Policy.BEST_EFFORT,
                Scope.CONTAINER,
                Map.of("prefer-closest-numa-nodes", "true", "max-allowable-numa-nodes", "64")));
  }

  private Pod pod(String uid) {
    Map<String, Quantity> amounts =
        Map.of(
            Resources.CPU, Quantity.of(60 + random.nextInt(120)),
            Resources.MEMORY, Quantity.of((60 + random.nextInt(200)) * GIB));
    return Pod.of(
        uid, List.of(new Container("c", Container.Role.APP, Resources.guaranteed(amounts))));
  }
}
