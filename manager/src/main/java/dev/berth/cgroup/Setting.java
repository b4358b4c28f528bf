package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;

/** One thing that a group has. */
sealed interface Setting {
  record Cpus(CpuSet cpus) implements Setting {}

  record Mems(NodeSet mems) implements Setting {}

  /** As cpu shares, 2 to 262144. */
  record Weight(int shares) implements Setting {}

  record Time(Quota quota) implements Setting {}

  record Memory(Limit limit) implements Setting {}

  record Hugepages(long pageSize, Limit limit) implements Setting {}

  record Parted(Partition partition) implements Setting {}

  /** Who enforces it. */
  default Controller controller() {
    return switch (this) {
      case Cpus ignored -> Controller.CPUSET;
      case Mems ignored -> Controller.CPUSET;
      case Parted ignored -> Controller.CPUSET;
      case Weight ignored -> Controller.CPU;
      case Time ignored -> Controller.CPU;
      case Memory ignored -> Controller.MEMORY;
      case Hugepages ignored -> Controller.HUGETLB;
    };
  }

  /** Whether the other is about the same thing, whatever its value. */
  default boolean isLike(Setting other) {
    return this instanceof Hugepages(long size, Limit _)
        ? other instanceof Hugepages(long otherSize, Limit _) && size == otherSize
        : getClass() == other.getClass();
  }
}
