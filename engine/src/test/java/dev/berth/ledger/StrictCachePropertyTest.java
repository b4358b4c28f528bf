package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Reason;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Under strict cache alignment, on random machines and under every topology policy and scope: no
 * container is split that fits one cache, and no pod is refused while a cache on nodes that the
 * policy accepts has room.
 */
class StrictCachePropertyTest {
  private static final long SEED = Long.getLong("berth.seed", 20261119L);
  private static final int STEPS_A_RUN = 30;

  private int granted;
  private int refused;

  @Test
  void refusesNoPodWhileACacheHasRoom() {
    run(5_000);
  }

  @Test
  @Tag("slow")
  void refusesNoPodWhileACacheHasRoomInManySteps() {
    run(Long.getLong("berth.steps", 100_000));
  }

  private void run(long steps) {
    long seed = SEED;
    for (long taken = 0; taken < steps; seed++) {
      Random random = new Random(seed);
      Optional<Node> node = node(random);
      if (node.isPresent()) {
        try {
          live(node.get(), random);
        } catch (AssertionError e) {
          throw new AssertionError("-Dberth.seed=" + seed + ": " + e.getMessage(), e);
        }
        taken += STEPS_A_RUN;
      }
    }
    System.out.printf("from seed %d: %d granted, %d refused%n", SEED, granted, refused);
    assertThat(granted).isGreaterThan((int) (steps / 10));
    assertThat(refused).isGreaterThan((int) (steps / 10));
  }

  /** A node on which strict alignment has an effect, if chance makes one. */
  private static Optional<Node> node(Random random) {
    Machine machine = RandomMachine.make(random);
    Configuration configuration =
        RandomConfiguration.make(random, machine)
            .withOption("strict-align-cpus-by-uncorecache", "true");
    try {
      Node node = Node.start(machine, configuration);
      return policy(node).strictCaches ? Optional.of(node) : Optional.empty();
    } catch (InvalidInputException e) {
      return Optional.empty();
    }
  }

  private static StaticPolicy policy(Node node) {
    return Objects.requireNonNull(node.ledgers().cpus(), "static policy").policy();
  }

  private void live(Node node, Random random) {
    int largest = policy(node).largestCache;
    List<String> running = new ArrayList<>();
    for (int step = 0; step < STEPS_A_RUN; step++) {
      if (!running.isEmpty() && random.nextInt(3) == 0) {
        node.remove(running.remove(random.nextInt(running.size())));
        continue;
      }
      int count = 1 + random.nextInt(largest);
      String uid = "pod-" + step;
      Assignments before = node.assignments();
      switch (node.admit(Pod.guaranteed(uid, count))) {
        case Decision.Granted grant -> {
          granted++;
          running.add(uid);
          assertThat(caches(node.machine(), grant.cpus().getOrDefault("app", CpuSet.EMPTY)))
              .isEqualTo(1);
        }
        case Decision.Refused refusal -> {
          refused++;
          assertThat(node.assignments()).isEqualTo(before);
          explained(node, count, refusal);
        }
      }
    }
  }

  private static long caches(Machine machine, CpuSet cpus) {
    return machine.domains(Level.CACHE).stream().filter(c -> c.cpus().intersects(cpus)).count();
  }

  /** What is left explains the refusal: no cache that would do has room. */
  private static void explained(Node node, int count, Decision.Refused refusal) {
    StaticPolicy policy = policy(node);
    CpuSet free = OneCache.offered(node.assignable(), policy);
    String what = count + " CPUs: " + refusal.message() + " on " + node.configuration();
    int most = most(node.machine(), free);
    if (refusal.reason() == Reason.CACHE_ALIGNMENT) {
      assertThat(most).as(what).isLessThan(count);
      assertThat(refusal.message())
          .endsWith(
              "requested "
                  + count
                  + " cpus would be split: the most"
                  + " that one cache has free = "
                  + most);
    }
    if (refusal.reason() == Reason.TOPOLOGY_AFFINITY) {
      for (NumaNode one : node.machine().nodes()) {
        CpuSet near = policy.cpusNear(NodeSet.of(one.id())).intersection(free);
        boolean tooSmall = one.cpus().sharedWith(node.assignable()) < count;
        assertThat(tooSmall || most(node.machine(), near) < count)
            .as(what + ", node " + one)
            .isTrue();
      }
    }
  }

  private static int most(Machine machine, CpuSet free) {
    int most = 0;
    for (Domain cache : machine.domains(Level.CACHE)) {
      most = Math.max(most, cache.cpus().sharedWith(free));
    }
    return most;
  }
}
