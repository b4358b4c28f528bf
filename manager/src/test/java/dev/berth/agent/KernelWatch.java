package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks at the processes of an agent's containers all the time, whether the agent lives or not, and
 * notes every two that share a CPU although one of them is to be alone.
 */
final class KernelWatch implements Runnable {
  /** A process of a container, and where it may run. */
  private record Sitting(Path group, boolean alone, long pid, CpuSet cpus) {
    /** The same a moment later; empty where it is not there any more. */
    Optional<Sitting> again() {
      return Sitting.of(group, alone, pid);
    }

    static Optional<Sitting> of(Path group, boolean alone, long pid) {
      try {
        CpuSet cpus = RealAgent.allowed(pid);
        // One that is about to join is still elsewhere, and one that ended runs nowhere.
        return processes(group).contains(pid)
            ? Optional.of(new Sitting(group, alone, pid, cpus))
            : Optional.empty();
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    boolean disturbs(Sitting other) {
      return !group.equals(other.group) && (alone || other.alone) && cpus.intersects(other.cpus);
    }
  }

  private final Path pods;
  private final List<String> violations = new ArrayList<>();
  private volatile boolean over;
  private long looks;
  private long sightings;

  KernelWatch(String cgroup) {
    Path v1 = Path.of("/sys/fs/cgroup/cpuset");
    pods = (Files.isDirectory(v1) ? v1 : Path.of("/sys/fs/cgroup")).resolve(cgroup + "/pods");
  }

  @Override
  public void run() {
    while (!over) {
      look();
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void look() {
    List<Sitting> all = new ArrayList<>();
    for (Path pod : children(pods)) {
      String name = pod.getFileName().toString();
      boolean alone = name.contains("-alone-") || name.contains("-staged-");
      for (Path container : children(pod)) {
        processes(container).forEach(pid -> Sitting.of(container, alone, pid).ifPresent(all::add));
      }
    }
    looks++;
    sightings += all.size();
    for (Sitting one : all) {
      for (Sitting other : all) {
        if (one.disturbs(other)) {
          confirm(one, other);
        }
      }
    }
  }

  /** Two looks at each, in turns: what both show was so in between, at one moment. */
  private void confirm(Sitting one, Sitting other) {
    Optional<Sitting> later = one.again();
    Optional<Sitting> last = other.again();
    if (later.isPresent() && last.isPresent() && later.get().disturbs(last.get())) {
      synchronized (violations) {
        violations.add(later.get() + " and " + last.get());
      }
    }
  }

  static List<Path> children(Path folder) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
      entries.forEach(found::add);
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      // It went while it was listed, and those in it had gone before.
      return found;
    }
    return found;
  }

  static List<Long> processes(Path group) {
    try {
      return Files.readAllLines(group.resolve("cgroup.procs")).stream()
          .map(Long::parseLong)
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  void end() {
    over = true;
  }

  long looks() {
    return looks;
  }

  /** How many processes were looked at. */
  long sightings() {
    return sightings;
  }

  List<String> violations() {
    synchronized (violations) {
      return List.copyOf(violations);
    }
  }
}
