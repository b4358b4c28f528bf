package dev.berth.relief;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Device;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.ledger.RandomConfiguration;
import dev.berth.ledger.RandomMachine;
import dev.berth.ledger.RandomMemory;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the search says is what all sets and all orders, tried one by one, come to. */
class ReliefPropertyTest {
  private static final long SEED = Long.getLong("berth.seed", 20261116L);
  private static final String NIC = "vendor.example/nic";
  private static final int MOST_MOVABLE = 5;

  /** What a search may come to, and how. */
  private static final String[] EVERYTHING = {
    "Exhausted",
    "NeverFits",
    "TooLittle",
    "TooManyLarge",
    "moves 1",
    "moves 2",
    "moves 3",
    "not first",
    "live",
    "stops"
  };

  private final Map<String, Integer> seen = new TreeMap<>();

  @Test
  void agreesWithBruteForce() {
    run(300, "Exhausted", "NeverFits", "TooLittle", "moves 1");
  }

  @Test
  @Tag("slow")
  void agreesWithBruteForceInManyCases() {
    run(Long.getLong("berth.steps", 5_000), EVERYTHING);
  }

  @Test
  @Tag("long")
  void agreesWithBruteForceInStillMore() {
    run(Long.getLong("berth.steps", 40_000), EVERYTHING);
  }

  private void run(long questions, String... expected) {
    long asked = 0;
    for (long seed = SEED; asked < questions; seed++) {
      try {
        asked += town(new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("-Dberth.seed=" + seed, e);
      }
    }
    System.out.printf("%d refusals from seed %d: %s%n", asked, SEED, seen);
    assertThat(seen.keySet()).contains(expected);
  }

  /** One machine's history; how many refusals were looked at. */
  private long town(Random random) {
    RandomMemory made = new RandomMemory(random);
    boolean plain = random.nextInt(3) == 0;
    Machine machine = plain ? RandomMachine.make(random) : made.machine();
    Configuration configuration =
        plain ? RandomConfiguration.make(random, machine) : made.configuration(machine);
    Node node = Node.builder(machine, configuration).devices(devices(random, machine)).start();
    int scale = Math.max(1, machine.cpus().size() / 12);
    Map<String, Pod> residents = new LinkedHashMap<>();
    long asked = 0;
    for (int step = 0; step < 30; step++) {
      Pod pod = pod(random, made, scale);
      if (node.admit(pod) instanceof Decision.Granted) {
        residents.put(pod.uid(), pod);
      } else {
        List<Pod> movable = new ArrayList<>(residents.values());
        movable.removeIf(one -> random.nextInt(6) == 0);
        if (movable.size() <= MOST_MOVABLE) {
          asked++;
          check(node, movable, pod);
        }
      }
      if (residents.size() > MOST_MOVABLE || random.nextInt(4) == 0) {
        List<String> uids = new ArrayList<>(residents.keySet());
        String leaving = uids.isEmpty() ? "nobody" : uids.get(random.nextInt(uids.size()));
        residents.remove(leaving);
        node.remove(leaving);
      }
    }
    return asked;
  }

  private static List<Device> devices(Random random, Machine machine) {
    List<Device> devices = new ArrayList<>();
    for (NumaNode place : machine.nodes()) {
      for (int i = random.nextInt(3); i > 0; i--) {
        devices.add(
            Device.of(NIC, "nic-" + devices.size(), place.id()).withHealth(random.nextInt(10) > 0));
      }
    }
    return devices;
  }

  /** Sometimes larger and of one container, sometimes with a device. */
  private static Pod pod(Random random, RandomMemory made, int scale) {
    Pod pod = made.pod();
    if (pod.budget().isPresent() || random.nextInt(3) == 0) {
      return pod;
    }
    List<Container> containers = new ArrayList<>();
    for (Container container : pod.containers()) {
      Map<String, Quantity> amounts = new TreeMap<>(container.resources().requests());
      if (random.nextBoolean()) {
        amounts.put(Resources.CPU, Quantity.of(1 + random.nextInt(4 * scale)));
      }
      if (random.nextInt(3) == 0) {
        amounts.put(NIC, Quantity.of(1));
      }
      containers.add(
          new Container(container.name(), container.role(), Resources.guaranteed(amounts)));
    }
    return Pod.of(pod.uid(), containers);
  }

  private void check(Node node, List<Pod> movable, Pod pod) {
    Map<String, Holding> before = Holding.all(node);
    Relief relief = Relief.search(node, movable, pod);
    assertThat(Holding.all(node)).isEqualTo(before);
    Optional<List<String>> best = new BruteForce(node, movable, pod).best();
    switch (relief) {
      case Relief.Plan plan -> {
        assertThat(plan.moves().stream().map(Move::pod).sorted().toList())
            .isEqualTo(best.orElseThrow());
        carryOut(node, movable, pod, plan);
        live(node, plan);
        assertThat(plan.ruledOut()).isEqualTo(plan.moves().size() - 1);
        count("moves " + plan.moves().size());
        if (plan.before() > 0) {
          count("not first");
        }
        count(plan.isLive() ? "live" : "stops");
      }
      case Relief.Impossible(Proof proof) -> {
        assertThat(best).as(proof.text()).isEmpty();
        count(proof.getClass().getSimpleName());
      }
      case Relief.Unknown unknown -> throw new AssertionError(unknown.lines().toString());
    }
  }

  private void count(String what) {
    seen.merge(what, 1, Integer::sum);
  }

  /** Taking off and letting in again ends exactly as the plan says. */
  private static void carryOut(Node node, List<Pod> movable, Pod pod, Relief.Plan plan) {
    Node trial = BruteForce.fresh(node);
    plan.moves().forEach(move -> trial.remove(move.pod()));
    List<Pod> order = new ArrayList<>();
    for (Move move : plan.moves()) {
      assertThat(Holding.of(node, move.pod())).isEqualTo(move.from());
      order.add(movable.stream().filter(m -> m.uid().equals(move.pod())).findFirst().orElseThrow());
    }
    order.add(plan.before(), pod);
    order.forEach(one -> assertThat(trial.admit(one)).isInstanceOf(Decision.Granted.class));
    for (Move move : plan.moves()) {
      assertThat(Holding.of(trial, move.pod())).isEqualTo(move.to());
      long before = nodes(node, move.from());
      long after = nodes(trial, move.to());
      String wider =
          "  " + move.pod() + " is then on " + after + " NUMA nodes instead of " + before;
      assertThat(plan.lines().contains(wider)).as(wider).isEqualTo(after > before);
    }
    assertThat(Holding.of(trial, pod.uid())).isEqualTo(plan.place());
  }

  private static long nodes(Node node, Holding holding) {
    return holding.allCpus().stream()
        .mapToObj(cpu ->
            node.machine().nodes().stream().filter(one -> one.cpus().contains(cpu)).findFirst())
        .distinct()
        .count();
  }

  /** Step by step nobody ever has a CPU that another has, and all end where the plan says. */
  private static void live(Node node, Relief.Plan plan) {
    Map<String, CpuSet> now = new TreeMap<>();
    Holding.all(node).forEach((uid, holding) -> now.put(uid, holding.allCpus()));
    Map<String, CpuSet> end = new TreeMap<>(now);
    plan.moves().forEach(move -> end.put(move.pod(), move.to().allCpus()));
    end.put(plan.pod(), plan.place().allCpus());
    for (Act act : plan.acts()) {
      CpuSet to =
          switch (act) {
            case Act.Shift(Move move) -> move.to().allCpus();
            case Act.Stop ignored -> CpuSet.EMPTY;
            case Act.Admit(String ignored, Holding place) -> place.allCpus();
            case Act.Restart(Move move) -> move.to().allCpus();
          };
      now.put(act.pod(), CpuSet.EMPTY);
      now.forEach((uid, cpus) -> assertThat(cpus.intersects(to)).as(uid + " at " + act).isFalse());
      now.put(act.pod(), to);
    }
    assertThat(now).isEqualTo(end);
  }
}
