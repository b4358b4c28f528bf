package dev.berth.agent;

import dev.berth.cgroup.Placement;
import dev.berth.linux.ProcessId;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerNote;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The first process of each container. containerd tells it by NRI; CRI-O tells the container's
 * group only, and the first one is the oldest in there.
 */
final class FirstProcesses {
  private static final Comparator<ProcessId> AGE =
      Comparator.comparingLong(ProcessId::startTicks).thenComparingLong(ProcessId::pid);

  private final Placement.Finder finder = Placement.Finder.here();

  /** Its number; 0 where it cannot be known. */
  long of(ContainerNote container) {
    return first(container.getPid(), container.getLinux().getCgroupsPath());
  }

  /** Its number; 0 where it cannot be known. */
  long of(Container container) {
    return first(container.getPid(), container.getLinux().getCgroupsPath());
  }

  private long first(long told, String group) {
    return told > 0 ? told : oldest(group).map(ProcessId::pid).orElse(0L);
  }

  private Optional<ProcessId> oldest(String group) {
    return finder.processes(group).stream().flatMap(pid -> ProcessId.of(pid).stream()).min(AGE);
  }

  /**
   * Those who came first come first. Runtimes list in any order, and CRI-O does not say when a
   * container was created: there the age of its process counts, and who has none comes last.
   */
  List<Container> inOrder(List<Container> containers) {
    Map<String, ProcessId> known = new HashMap<>();
    for (Container container : containers) {
      if (container.getCreatedAt() == 0) {
        ProcessId.of(of(container)).ifPresent(process -> known.put(container.getId(), process));
      }
    }
    return containers.stream()
        .sorted(
            Comparator.comparingLong(Container::getCreatedAt)
                .thenComparing(
                    container -> Optional.ofNullable(known.get(container.getId())),
                    Comparator.comparing(
                        process -> process.orElse(new ProcessId(Long.MAX_VALUE, Long.MAX_VALUE)),
                        AGE)))
        .toList();
  }
}
