package dev.berth.measure;

import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.relief.Relief;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * How long it takes to say whom to move for a refused pod, on a machine of 384 CPUs with about 90
 * pods. The same questions every time.
 */
final class Relieving {
  private static final long SEED = 20261116L;
  private static final int ROUNDS = 60;
  private static final int WARM_UP = 10;
  private static final int SHORT_ROUNDS = 10;
  private static final Machine MACHINE = Machines.named("epyc-9654-2p-nps4");

  private Relieving() {}

  public static void main(String... arguments) {
    cpus(settings(Policy.SINGLE_NUMA_NODE, Scope.CONTAINER));
    cpus(settings(Policy.RESTRICTED, Scope.CONTAINER));
    cpus(withMemory(settings(Policy.SINGLE_NUMA_NODE, Scope.POD)));
    cpus(withMemory(settings(Policy.BEST_EFFORT, Scope.CONTAINER)));
    memory(withMemory(settings(Policy.SINGLE_NUMA_NODE, Scope.CONTAINER)));
  }

  private static Configuration settings(Policy policy, Scope scope) {
    return Configuration.staticPolicy(Quantity.of(4))
        .with(new TopologySettings(policy, scope, Map.of()));
  }

  private static Configuration withMemory(Configuration configuration) {
    return configuration.with(
        new MemorySettings(MemorySettings.Policy.STATIC, Map.of(0, Map.of("memory", 1L << 30))));
  }

  /** CPUs are short; the figures are told by what the answer is. */
  private static void cpus(Configuration configuration) {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      Node node = Node.start(MACHINE, configuration);
      List<Pod> residents = town(random, node);
      Pod large = Pod.guaranteed("large", 4 + random.nextInt(42));
      if (node.copy().admit(large) instanceof Decision.Granted) {
        continue;
      }
      long began = System.nanoTime();
      Relief relief = Relief.search(node, residents, large);
      long nanos = System.nanoTime() - began;
      if (round >= WARM_UP) {
        tell(name(relief), nanos);
      }
    }
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

  /** Memory in pieces: no bound helps there, so that all of the effort may be spent. */
  private static void memory(Configuration configuration) {
    long unit = MACHINE.nodes().get(1).memory().bytes() / 40;
    for (int round = 0; round < SHORT_ROUNDS; round++) {
      Random random = new Random(SEED + round);
      Node node = Node.start(MACHINE, configuration);
      List<Pod> residents = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        Pod pod = heavy("pod-" + i, unit * (1 + random.nextInt(6)));
        if (node.admit(pod) instanceof Decision.Granted) {
          residents.add(pod);
        }
      }
      for (int i = residents.size() - 1; i >= 0; i -= 6) {
        node.remove(residents.remove(i).uid());
      }
      Pod large = heavy("large", unit * (8 + round));
      long began = System.nanoTime();
      Relief relief = Relief.search(node, residents, large);
      long nanos = System.nanoTime() - began;
      System.err.printf("%d pods, memory short: %s%n", residents.size(), name(relief));
      tell("relief/memory", nanos);
    }
  }

  private static Pod heavy(String uid, long bytes) {
    Map<String, Quantity> asks =
        Map.of(Resources.CPU, Quantity.of(1), Resources.MEMORY, Quantity.of(bytes));
    return Pod.of(
        uid, List.of(new Container("app", Container.Role.APP, Resources.guaranteed(asks))));
  }

  private static String name(Relief relief) {
    return switch (relief) {
      case Relief.Plan _ -> "relief/plan";
      case Relief.Impossible _ -> "relief/proof";
      case Relief.Unknown _ -> "relief/unknown";
    };
  }

  private static void tell(String name, long nanos) {
    System.out.println("{\"name\":\"" + name + "\",\"ns\":" + nanos + "}");
  }
}
