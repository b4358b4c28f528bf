package dev.berth.ledger;

import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Pods made at random: of every class, with fractions, init containers and sidecars. */
final class RandomPods {
  private static final List<String> FRACTIONS = List.of("500m", "1500m", "0.1", "2500m", "999999u");

  private final Random random;
  private final int machineCpus;
  private int made;

  RandomPods(Random random, int machineCpus) {
    this.random = random;
    this.machineCpus = machineCpus;
  }

  Pod next() {
    int kind = random.nextInt(12);
    List<Container> containers = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      for (int i = random.nextInt(3); i >= 0; i--) {
        Role role = random.nextInt(3) == 0 ? Role.SIDECAR : Role.INIT;
        containers.add(new Container("init-" + i, role, resources(kind)));
      }
    }
    for (int i = random.nextInt(2) * random.nextInt(3); i >= 0; i--) {
      containers.add(new Container("app-" + i, Role.APP, resources(kind)));
    }
    Optional<Resources> budget =
        random.nextInt(6) == 0 ? Optional.of(resources(random.nextInt(12))) : Optional.empty();
    return Pod.of("pod-" + made++, containers, budget);
  }

  private Resources resources(int kind) {
    Quantity memory = Quantity.parse("64Mi");
    return switch (kind) {
      case 0 ->
          new Resources(
              Map.of(Resources.CPU, Quantity.of(1)), Map.of(Resources.CPU, Quantity.of(2)));
      case 1 -> Resources.NONE;
      default -> Resources.guaranteed(Map.of(Resources.CPU, amount(), Resources.MEMORY, memory));
    };
  }

  private Quantity amount() {
    int choice = random.nextInt(12);
    if (choice == 0) {
      return Quantity.parse(FRACTIONS.get(random.nextInt(FRACTIONS.size())));
    }
    if (choice < 5) {
      return Quantity.of(1 + random.nextInt(4));
    }
    if (choice < 8) {
      return Quantity.of(2L * (1 + random.nextInt(8)));
    }
    return Quantity.of(1 + random.nextInt(choice < 11 ? machineCpus / 4 + 1 : machineCpus + 1));
  }
}
