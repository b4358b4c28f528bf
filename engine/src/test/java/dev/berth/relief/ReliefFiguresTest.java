package dev.berth.relief;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long an answer takes on a machine of 384 CPUs with about 90 pods on it. */
class ReliefFiguresTest {
  private static final long SEED = Long.getLong("berth.seed", 20261116L);

  @ParameterizedTest
  @Tag("long")
  @CsvSource({
    "SINGLE_NUMA_NODE,CONTAINER,false",
    "RESTRICTED,CONTAINER,false",
    "SINGLE_NUMA_NODE,POD,true",
    "BEST_EFFORT,CONTAINER,true"
  })
  void answersWithinASecondOnALargeMachine(Policy policy, Scope scope, boolean memory) {
    Map<String, List<Double>> times = new TreeMap<>();
    for (int round = 0; round < 60; round++) {
      Random random = new Random(SEED + round);
      Machine machine = Machines.named("epyc-9654-2p-nps4");
      Configuration configuration =
          Configuration.staticPolicy(Quantity.of(4))
              .with(new TopologySettings(policy, scope, Map.of()));
      if (memory) {
        configuration =
            configuration.with(
                new MemorySettings(
                    MemorySettings.Policy.STATIC, Map.of(0, Map.of("memory", 1L << 30))));
      }
      Node node = Node.start(machine, configuration);
      List<Pod> residents = town(random, node);
      Pod large = Pod.guaranteed("large", 4 + random.nextInt(42));
      if (node.copy().admit(large) instanceof Decision.Granted) {
        continue;
      }
      long began = System.nanoTime();
      Relief relief = Relief.search(node, residents, large);
      double milliseconds = (System.nanoTime() - began) / 1e6;
      if (round >= 10) {
        times.computeIfAbsent(name(relief), key -> new ArrayList<>()).add(milliseconds);
      }
    }
    times.forEach((what, list) -> {
      list.sort(null);
      System.out.printf(
          "%s %s%s: %s: %d times, median %.1f ms, slowest %.1f ms%n",
          policy,
          scope,
          memory ? " memory" : "",
          what,
          list.size(),
          list.get(list.size() / 2),
          list.getLast());
    });
    times.forEach((what, list) -> assertThat(list.getLast()).as(what).isLessThan(2_000));
  }

  /** Comes and goes until about 90 are there and little room is left. */
  private static List<Pod> town(Random random, Node node) {
    List<Pod> residents = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Pod pod = Pod.guaranteed("pod-" + i, 1 + random.nextInt(7));
      if (node.admit(pod) instanceof Decision.Granted) {
        residents.add(pod);
      }
      if (residents.size() > 88) {
        node.remove(residents.remove(random.nextInt(residents.size())).uid());
      }
    }
    return residents;
  }

  private static String name(Relief relief) {
    return switch (relief) {
      case Relief.Plan plan -> "plan of " + plan.moves().size();
      case Relief.Impossible(Proof proof) -> proof.getClass().getSimpleName();
      case Relief.Unknown unknown -> "unknown beyond " + unknown.searchedUpTo();
    };
  }
}
