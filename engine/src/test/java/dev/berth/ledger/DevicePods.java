package dev.berth.ledger;

import dev.berth.topology.Machine;
import dev.berth.topology.Synthetic;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Machines, pods and devices for tests, in few words. */
final class DevicePods {
  static final String GPU = "vendor.example/gpu";
  static final String NIC = "vendor.example/nic";

  /** Two sockets of one NUMA node with 8 CPUs each. */
  static final Machine TWO_NODES = Synthetic.parse("pack:2 node:1 core:8 pu:1");

  /** Two sockets of two NUMA nodes with 8 CPUs each. */
  static final Machine FOUR_NODES = Synthetic.parse("pack:2 node:2 core:8 pu:1");

  private DevicePods() {}

  static Pod pod(String uid, Container... containers) {
    return Pod.of(uid, List.of(containers));
  }

  /** Asks for amounts such as {@code cpu=2}, as requests and limits. */
  static Container app(String name, String... amounts) {
    return container(name, Role.APP, amounts);
  }

  static Container init(String name, String... amounts) {
    return container(name, Role.INIT, amounts);
  }

  static Container sidecar(String name, String... amounts) {
    return container(name, Role.SIDECAR, amounts);
  }

  private static Container container(String name, Role role, String... amounts) {
    return new Container(name, role, Resources.guaranteed(amounts(amounts)));
  }

  static Map<String, Quantity> amounts(String... amounts) {
    Map<String, Quantity> map = new HashMap<>();
    for (String amount : amounts) {
      int equals = amount.indexOf('=');
      map.put(amount.substring(0, equals), Quantity.parse(amount.substring(equals + 1)));
    }
    return map;
  }

  /** So many GPUs on each node, numbered through: {@code gpu-0} and so on. */
  static List<Device> gpus(int perNode, int... nodes) {
    List<Device> gpus = new ArrayList<>();
    for (int node : nodes) {
      IntStream.range(0, perNode)
          .forEach(i -> gpus.add(Device.of(GPU, "gpu-" + gpus.size(), node)));
    }
    return gpus;
  }

  static Configuration configuration(TopologySettings.Policy policy, TopologySettings.Scope scope) {
    return Configuration.staticPolicy(Quantity.of(1))
        .with(new TopologySettings(policy, scope, Map.of()));
  }

  static Node node(
      Machine machine,
      TopologySettings.Policy policy,
      TopologySettings.Scope scope,
      List<Device> devices) {
    Node node = Node.start(machine, configuration(policy, scope));
    node.devices(devices);
    return node;
  }

  static List<String> gpusOf(Node node, String pod, String container) {
    return node.deviceAssignments().of(pod, container).getOrDefault(GPU, List.of());
  }
}
