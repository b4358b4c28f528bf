package dev.berth.cgroup;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/** A part of the kernel that a group can be given limits in. */
public enum Controller {
  /** CPUs and memory nodes. */
  CPUSET("processes cannot be kept on their CPUs and NUMA nodes"),
  /** Weight and quota. */
  CPU("weights and quotas of CPU time cannot be enforced"),
  /** Memory of all sizes of page but huge ones. */
  MEMORY("limits of memory cannot be enforced"),
  /** Hugepages by size. */
  HUGETLB("limits of hugepages cannot be enforced");

  private final String loss;

  Controller(String loss) {
    this.loss = loss;
  }

  /** Whether one of these names is a controller's. */
  static boolean anyOf(Set<String> words) {
    return Arrays.stream(values()).anyMatch(controller -> words.contains(controller.word()));
  }

  /** The kernel's name. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a person should know where it is missing. */
  String loss() {
    return loss;
  }
}
