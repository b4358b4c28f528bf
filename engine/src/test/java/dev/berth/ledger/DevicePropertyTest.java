package dev.berth.ledger;

import static dev.berth.ledger.DevicePods.FOUR_NODES;
import static dev.berth.ledger.DevicePods.GPU;
import static dev.berth.ledger.DevicePods.NIC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.NodeSet;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The rules about devices under random pods, removals and illnesses; a failure names its seed. */
class DevicePropertyTest {
  private static final long SEED = Long.getLong("berth.seed", 20261116L);
  private static final int STEPS = Integer.getInteger("berth.steps", 20_000);
  private static final int STEPS_A_NODE = 100;
  private static final Set<String> RESOURCES = Set.of(GPU, NIC);

  private final Map<String, Pod> running = new TreeMap<>();
  private final Set<String> ill = new HashSet<>();
  private Random random = new Random(SEED);
  private List<Device> devices = List.of(Device.of(GPU, "d-0"), Device.of(NIC, "d-0"));
  private Node node = DevicePods.node(FOUR_NODES, Policy.NONE, Scope.CONTAINER, devices);

  @Test
  void theRulesHoldAfterEveryStep() {
    int refused = 0;
    for (int i = 0; i < STEPS; i++) {
      if (i % STEPS_A_NODE == 0) {
        empty("before seed " + (SEED + i / STEPS_A_NODE));
        start(SEED + i / STEPS_A_NODE);
      }
      String where = "seed " + (SEED + i / STEPS_A_NODE) + " step " + i % STEPS_A_NODE;
      switch (random.nextInt(6)) {
        case 0 -> remove(where);
        case 1 -> changeHealth();
        default -> refused += admit(where, "pod-" + i) ? 0 : 1;
      }
      assertThat(DeviceRules.broken(node.deviceAssignments(), running.values(), RESOURCES))
          .as(where)
          .isEmpty();
    }
    assertThat(refused).as("refusals of %d steps", STEPS).isBetween(STEPS / 20, STEPS * 3 / 4);
  }

  private void start(long seed) {
    random = new Random(seed);
    running.clear();
    ill.clear();
    devices = new ArrayList<>();
    for (String resource : RESOURCES.stream().sorted().toList()) {
      for (int i = random.nextInt(12); i >= 0; i--) {
        NodeSet nodes = NodeSet.EMPTY;
        for (int n = random.nextInt(3); n > 0; n--) {
          nodes = nodes.union(NodeSet.of(random.nextInt(4)));
        }
        devices.add(new Device(resource, "d-" + i, nodes, true));
      }
    }
    node = DevicePods.node(FOUR_NODES, any(Policy.values()), any(Scope.values()), devices);
  }

  private <T> T any(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private boolean admit(String where, String uid) {
    DeviceAssignments before = node.deviceAssignments();
    Assignments cpusBefore = node.assignments();
    Pod pod = pod(uid);
    if (node.admit(pod) instanceof Decision.Refused refused) {
      assertThat(node.deviceAssignments()).as("%s: refused %s", where, pod).isEqualTo(before);
      assertThat(node.assignments()).as("%s: refused %s", where, pod).isEqualTo(cpusBefore);
      assertThat(refused.message()).isNotBlank();
      return false;
    }
    running.put(uid, pod);
    DeviceAssignments after = node.deviceAssignments();
    for (String resource : RESOURCES) {
      assertThat(after.ofPod(uid, resource)).as(where).noneMatch(id -> ill.contains(resource + id));
    }
    assertThat(node.admit(pod)).as(where).isInstanceOf(Decision.Granted.class);
    assertThat(node.deviceAssignments()).as("%s: admitted twice", where).isEqualTo(after);
    if (random.nextInt(4) == 0) {
      node.remove(uid);
      running.remove(uid);
      assertThat(node.deviceAssignments()).as("%s: removed at once", where).isEqualTo(before);
    }
    return true;
  }

  private Pod pod(String uid) {
    List<Container> containers = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      containers.add(
          random.nextBoolean()
              ? DevicePods.init("init-" + i, amounts())
              : DevicePods.sidecar("side-" + i, amounts()));
    }
    for (int i = random.nextInt(2); i >= 0; i--) {
      containers.add(DevicePods.app("app-" + i, amounts()));
    }
    return Pod.of(uid, containers);
  }

  private String[] amounts() {
    List<String> amounts = new ArrayList<>();
    for (String resource : RESOURCES.stream().sorted().toList()) {
      if (random.nextBoolean()) {
        amounts.add(resource + "=" + (1 + random.nextInt(3)));
      }
    }
    if (random.nextBoolean()) {
      amounts.add("cpu=" + (1 + random.nextInt(3)));
      amounts.add("memory=1Gi");
    }
    return amounts.toArray(String[]::new);
  }

  private void remove(String where) {
    if (!running.isEmpty()) {
      String uid = List.copyOf(running.keySet()).get(random.nextInt(running.size()));
      node.remove(uid);
      running.remove(uid);
      assertThat(node.deviceAssignments().ids()).as(where).doesNotContainKey(uid);
    }
  }

  private void changeHealth() {
    ill.clear();
    List<Device> changed = new ArrayList<>();
    for (Device device : devices) {
      boolean healthy = random.nextInt(6) > 0;
      changed.add(device.withHealth(healthy));
      if (!healthy) {
        ill.add(device.resource() + device.id());
      }
    }
    node.devices(changed);
  }

  /** Once all are gone and well, every device can be given again: none was lost. */
  private void empty(String where) {
    running.keySet().forEach(node::remove);
    assertThat(node.deviceAssignments()).as(where).isEqualTo(DeviceAssignments.NONE);
    node.devices(devices);
    switch (node.configuration().topology().policy()) {
      case NONE, BEST_EFFORT -> {
        Pod all = DevicePods.pod("all", DevicePods.app("x", GPU + count(GPU), NIC + count(NIC)));
        assertThat(node.admit(all)).as(where).isInstanceOf(Decision.Granted.class);
      }
      case RESTRICTED, SINGLE_NUMA_NODE -> {
        // May refuse to take all from all nodes.
      }
    }
  }

  private String count(String resource) {
    return "=" + devices.stream().filter(device -> device.resource().equals(resource)).count();
  }
}
