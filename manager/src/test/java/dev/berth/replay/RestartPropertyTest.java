package dev.berth.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Reservation;
import dev.berth.ledger.TopologySettings;
import dev.berth.replay.Scenario.CaseStep;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NodeMemory;
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
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * On random machines with memory, a restart through the text of both checkpoints after every step
 * changes nothing: not the files, not a running pod, not what later pods get.
 */
class RestartPropertyTest {
  private static final long SEED = Long.getLong("berth.seed", 20261118L);
  private static final int STEPS_A_RUN = 20;
  private static final long MIB = 1L << 20;

  @Test
  void restartsChangeNothing() {
    run(5_000);
  }

  @Test
  @Tag("slow")
  void manyRestartsChangeNothing() {
    run(Long.getLong("berth.steps", 50_000));
  }

  private static void run(long steps) {
    int admitted = 0;
    for (long run = 0; run * STEPS_A_RUN < steps; run++) {
      long seed = SEED + run;
      Scenario scenario = scenario(new Random(seed));
      Answer once = Replayer.run(scenario);
      assertThat(once.startError()).as("-Dberth.seed=%d", seed).isEmpty();
      Answer often = Replayer.run(restarting(scenario));
      for (int i = 0; i < once.steps().size(); i++) {
        Answer.StepAnswer step = once.steps().get(i);
        assertThat(often.steps().get(2 * i + 1).broken())
            .as("-Dberth.seed=%d: restart after step %d", seed, i)
            .isEmpty();
        assertThat(AnswerJson.write(often.steps().get(2 * i)))
            .as("-Dberth.seed=%d: step %d", seed, i)
            .isEqualTo(AnswerJson.write(step));
        admitted +=
            step.verdict().filter(Answer.Verdict.Admitted.class::isInstance).isPresent() ? 1 : 0;
      }
      assertThat(often.checkpoint()).as("-Dberth.seed=%d", seed).isEqualTo(once.checkpoint());
      assertThat(often.memoryCheckpoint())
          .as("-Dberth.seed=%d", seed)
          .isEqualTo(once.memoryCheckpoint())
          .isPresent();
    }
    System.out.printf("%d steps from seed %d: %d pods admitted%n", steps, SEED, admitted);
    assertThat(admitted).isGreaterThan((int) (steps / 5));
  }

  private static Scenario restarting(Scenario scenario) {
    List<CaseStep> steps = new ArrayList<>();
    for (CaseStep step : scenario.steps()) {
      steps.add(step);
      steps.add(new CaseStep.Restart());
    }
    return new Scenario(
        scenario.id(), scenario.machine(), scenario.configuration(), steps, scenario.recorded());
  }

  private static Scenario scenario(Random random) {
    int nodes = 1 + random.nextInt(6);
    MachineBuilder builder = Machine.builder("random");
    for (int node = 0, cpu = 0; node < nodes; node++) {
      for (int i = node == 0 ? 2 : random.nextInt(7); i > 0; i--, cpu++) {
        builder.cpu(cpu, cpu, node / 2, node * 5, node);
      }
      Map<Long, Long> huge = random.nextBoolean() ? Map.of(2048L, 100L) : Map.of();
      builder.memory(node * 5, NodeMemory.of(1024 * MIB * (2 + random.nextInt(6)), huge));
    }
    List<CaseStep> steps = new ArrayList<>();
    for (int i = 0; i < STEPS_A_RUN; i++) {
      steps.add(
          i > 2 && random.nextInt(4) == 0
              ? new CaseStep.Remove("pod-" + random.nextInt(i))
              : new CaseStep.Admit(pod(random, "pod-" + i)));
    }
    ObjectNode recorded = JsonNodeFactory.instance.objectNode();
    recorded.putObject("machine");
    return new Scenario("random", builder.build(), configuration(random), steps, recorded);
  }

  private static Configuration configuration(Random random) {
    TopologySettings.Policy[] policies = TopologySettings.Policy.values();
    TopologySettings.Scope[] scopes = TopologySettings.Scope.values();
    return Configuration.DEFAULTS
        .with(CpuPolicy.STATIC)
        .with(new Reservation.Amount(Quantity.of(1)))
        .with(
            new MemorySettings(
                MemorySettings.Policy.STATIC, Map.of(0, Map.of(Resources.MEMORY, 100 * MIB))))
        .with(FeatureGates.DEFAULTS.with(Gate.POD_LEVEL_RESOURCE_MANAGERS, random.nextBoolean()))
        .with(
            new TopologySettings(
                policies[random.nextInt(policies.length)],
                scopes[random.nextInt(scopes.length)],
                Map.of()));
  }

  private static Pod pod(Random random, String uid) {
    List<Container> containers = new ArrayList<>();
    for (int i = random.nextInt(3) - 1; i > 0; i--) {
      Role role = random.nextInt(3) == 0 ? Role.SIDECAR : Role.INIT;
      containers.add(new Container("init-" + i, role, resources(random, 1)));
    }
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      containers.add(new Container("app-" + i, Role.APP, resources(random, 1)));
    }
    return random.nextInt(3) > 0
        ? Pod.of(uid, containers)
        : Pod.of(uid, containers, Optional.of(resources(random, 3)));
  }

  private static Resources resources(Random random, int times) {
    Map<String, Quantity> amounts = new TreeMap<>();
    amounts.put(Resources.CPU, Quantity.of(times * (1L + random.nextInt(2))));
    amounts.put(
        Resources.MEMORY,
        Quantity.of(64 * MIB * times * (1 + random.nextInt(8)) * (1 + random.nextInt(6))));
    if (random.nextInt(4) == 0) {
      amounts.put("hugepages-2Mi", Quantity.of(2 * MIB * times * random.nextInt(40)));
    }
    return Resources.guaranteed(amounts);
  }
}
