package dev.berth.simulate;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.allocation.StaticOption;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Workloads, machines and configurations made at random, in the words that a person would use. */
final class RandomScenario {
  private static final long GIB = 1L << 30;

  private final Random random;
  private final Machine machine;

  private RandomScenario(Random random) {
    this.random = random;
    int nodes = 1 + random.nextInt(3);
    machine =
        Machines.parse(
            "pack:%d node:%d(memory=64GiB) l3:%d core:%d pu:%d"
                .formatted(
                    1 + random.nextInt(2),
                    nodes,
                    1 + random.nextInt(3),
                    2 + random.nextInt(4),
                    1 + random.nextInt(2)));
  }

  static Scenario make(long seed) {
    RandomScenario one = new RandomScenario(new Random(seed));
    Workload workload = WorkloadReader.read("random", one.pods(), seed).workload();
    return new Scenario("seed " + seed, one.machine, one.settings(), workload);
  }

  private String any(String... words) {
    return words[random.nextInt(words.length)];
  }

  /** A configuration that starts on the machine; most do. */
  private NodeSettings settings() {
    return Stream.generate(() -> NodeSettings.read("random", configuration(), List.of()))
        .filter(this::starts)
        .findFirst()
        .orElseThrow();
  }

  /** Some options do not go together, or not on this machine. */
  private boolean starts(NodeSettings settings) {
    try {
      Simulation.of(new Scenario("try", machine, settings, Workload.NOBODY));
      return true;
    } catch (InvalidInputException e) {
      return false;
    }
  }

  private String configuration() {
    StringBuilder yaml = new StringBuilder();
    boolean none = random.nextInt(8) == 0;
    yaml.append("cpuManagerPolicy: ").append(none ? "none" : "static").append('\n');
    yaml.append("topologyManagerPolicy: ")
        .append(any("none", "best-effort", "restricted", "single-numa-node"))
        .append("\ntopologyManagerScope: ")
        .append(any("container", "pod"))
        .append("\nfeatureGates: {")
        .append(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS.kubernetesName())
        .append(": true, ")
        .append(Gate.POD_LEVEL_RESOURCE_MANAGERS.kubernetesName())
        .append(": ")
        .append(random.nextBoolean())
        .append("}\n");
    List<StaticOption> options = List.of(StaticOption.values());
    StaticOption option = options.get(random.nextInt(options.size()));
    if (!none && random.nextBoolean()) {
      yaml.append("cpuManagerPolicyOptions: {")
          .append(option.kubernetesName())
          .append(": \"true\"}\n");
    }
    if (random.nextInt(3) == 0) {
      yaml.append("memoryManagerPolicy: Static\nreservedMemory:\n");
      machine
          .nodes()
          .forEach(node ->
              yaml.append("- numaNode: ").append(node.id()).append("\n  limits: {memory: 1Gi}\n"));
    }
    if (random.nextInt(3) == 0) {
      yaml.append("berth:\n  devices:\n");
      for (int i = 0; i < 4; i++) {
        yaml.append("  - {resource: vendor.example/nic, id: nic")
            .append(i)
            .append(", numaNodes: \"0\"}\n");
      }
    }
    return yaml.toString();
  }

  private String pods() {
    StringBuilder yaml = new StringBuilder();
    int kinds = 1 + random.nextInt(5);
    for (int kind = 0; kind < kinds; kind++) {
      yaml.append("---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: kind")
          .append(kind)
          .append("\n  annotations:\n    simulate.berth.dev/count: \"")
          .append(1 + random.nextInt(30))
          .append("\"\n    simulate.berth.dev/arrives: ")
          .append(random.nextInt(20))
          .append("s\n    simulate.berth.dev/every: ")
          .append(any("0s", "10s", "poisson 7s"))
          .append('\n');
      if (random.nextInt(4) != 0) {
        yaml.append("    simulate.berth.dev/stays: ")
            .append(any("20s", "exponential 40s", "10s"))
            .append('\n');
      }
      yaml.append("spec:\n");
      spec(yaml);
    }
    return yaml.toString();
  }

  private void spec(StringBuilder yaml) {
    if (random.nextInt(3) == 0) {
      yaml.append("  initContainers:\n");
      container(yaml, "first", any("", "    restartPolicy: Always\n"));
    }
    yaml.append("  containers:\n");
    container(yaml, "app", "");
    if (random.nextInt(3) == 0) {
      container(yaml, "beside", "");
    }
    if (random.nextInt(5) == 0) {
      yaml.append("  resources: {limits: {cpu: 40, memory: 40Gi}}\n");
    }
  }

  private void container(StringBuilder yaml, String name, String more) {
    yaml.append("  - name: ").append(name).append('\n').append(more);
    String device = random.nextInt(6) == 0 ? ", vendor.example/nic: 1" : "";
    yaml.append("    resources: {limits: {cpu: ")
        .append(any("1", "2", "3", "4", "8", "500m"))
        .append(", memory: ")
        .append((1 + random.nextInt(8)) * GIB)
        .append(device)
        .append("}}\n");
  }
}
