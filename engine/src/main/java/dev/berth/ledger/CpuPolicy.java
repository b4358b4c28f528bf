package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;

/** What is done about CPUs at all. */
public enum CpuPolicy {
  /** Nothing: every container runs wherever the kernel likes. */
  NONE("none"),
  /** Guaranteed containers with whole CPUs get CPUs of their own; the others share the rest. */
  STATIC("static");

  private final String kubernetesName;

  CpuPolicy(String kubernetesName) {
    this.kubernetesName = kubernetesName;
  }

  /** The name in configuration files and checkpoints. */
  public String kubernetesName() {
    return kubernetesName;
  }

  /** The policy of that name. */
  public static CpuPolicy named(String name) {
    for (CpuPolicy policy : values()) {
      if (policy.kubernetesName.equals(name)) {
        return policy;
      }
    }
    throw new InvalidInputException(
        "cpuManagerPolicy: expected none or static, found \"" + name + "\"");
  }
}
