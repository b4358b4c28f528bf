package dev.berth.runtime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.workload.QosClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The groups of a node's pods, below a name of the test's own, made as a kubelet makes them. */
public final class NodeGroups implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final List<String> CPUSET = List.of("cpuset.mems", "cpuset.cpus");

  private final List<Path> hierarchies;
  private final String name;

  private NodeGroups(List<Path> hierarchies, String name) {
    this.hierarchies = hierarchies;
    this.name = name;
  }

  static NodeGroups open() throws IOException {
    List<Path> hierarchies = hierarchies();
    assumeTrue(
        hierarchies.contains(Path.of("/sys/fs/cgroup/cpuset")),
        "real runtimes: these tests are for cgroup version 1");
    NodeGroups groups =
        new NodeGroups(
            hierarchies,
            "berth-e2e-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet());
    groups.make(groups.kubepods());
    return groups;
  }

  /** The group that is all the test's own, from the root of every hierarchy. */
  String top() {
    return "/" + name;
  }

  /** The group above all pods, as a runtime is told: from the root of every hierarchy. */
  public String kubepods() {
    return "/" + name + "/kubepods";
  }

  /** Makes the group of a pod, and says its path. */
  String makePod(QosClass qos, String uid) throws IOException {
    String group =
        switch (qos) {
          case GUARANTEED -> kubepods() + "/pod" + uid;
          case BURSTABLE -> kubepods() + "/burstable/pod" + uid;
          case BEST_EFFORT -> kubepods() + "/besteffort/pod" + uid;
        };
    make(group);
    return group;
  }

  /** Where a group's files of the cpuset controller lie. */
  public Path cpuset(String group) {
    return Path.of("/sys/fs/cgroup/cpuset", group);
  }

  private void make(String group) throws IOException {
    for (Path hierarchy : hierarchies) {
      Path folder = hierarchy;
      for (Path step : Path.of(group.substring(1))) {
        Path parent = folder;
        folder = folder.resolve(step);
        if (!Files.exists(folder)) {
          Files.createDirectory(folder);
          inherit(parent, folder);
        }
      }
    }
  }

  /** A new cpuset is empty, and an empty one takes no process. */
  private static void inherit(Path parent, Path child) throws IOException {
    for (String file : CPUSET) {
      if (Files.exists(child.resolve(file))) {
        Files.writeString(child.resolve(file), Files.readString(parent.resolve(file)));
      }
    }
  }

  /** Who is in any of these groups. */
  List<Long> processes() throws IOException {
    List<Long> found = new ArrayList<>();
    for (Path folder : folders("/" + name)) {
      try (Stream<String> lines = Files.lines(folder.resolve("cgroup.procs"))) {
        lines.map(Long::parseLong).forEach(found::add);
      } catch (NoSuchFileException e) {
        // The runtime was quicker.
      }
    }
    return found.stream().distinct().toList();
  }

  /** Removes a group that holds nobody any more, with all below. */
  void remove(String group) throws IOException {
    for (Path folder : folders(group)) {
      Waiting.until(
          folder + " to be empty",
          () -> {
            try {
              return Files.deleteIfExists(folder) || !Files.exists(folder);
            } catch (IOException e) {
              // Busy, until the kernel has buried the last process.
              return false;
            }
          });
    }
  }

  /** All folders of a group in all hierarchies, the deepest first. */
  private List<Path> folders(String group) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path hierarchy : hierarchies) {
      Path top = hierarchy.resolve(group.substring(1));
      if (Files.isDirectory(top)) {
        try (Stream<Path> paths = Files.walk(top)) {
          paths.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).forEach(found::add);
        } catch (UncheckedIOException e) {
          throw e.getCause();
        }
      }
    }
    return found;
  }

  /** Those of version 2 too, which runc also uses where it finds one beside the others. */
  private static List<Path> hierarchies() throws IOException {
    try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mounts"))) {
      return mounts
          .map(line -> line.split(" ", -1))
          .filter(fields -> fields[2].equals("cgroup") || fields[2].equals("cgroup2"))
          .map(fields -> Path.of(fields[1]))
          .toList();
    }
  }

  @Override
  public void close() throws IOException {
    remove("/" + name);
  }
}
