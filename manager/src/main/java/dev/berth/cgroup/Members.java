package dev.berth.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The processes in groups, and the end of groups. */
final class Members {
  private static final String PROCESSES = "cgroup.procs";

  /**
   * How long we wait for a process to end after SIGKILL. As a rule that takes a millisecond; one in
   * the kernel's own hands may take for ever, and whoever asks must not be held up by it.
   */
  private static final long KILL_MILLIS = 100;

  /** How long a group may look busy after its last process ended. */
  private static final long REMOVE_MILLIS = 100;

  private static final long PAUSE_MILLIS = 2;

  private final Trees trees;

  Members(Trees trees) {
    this.trees = trees;
  }

  List<Path> joinFiles(GroupPath group) {
    return trees.folders(group).stream().map(folder -> folder.resolve(PROCESSES)).toList();
  }

  List<Path> joinFiles(GroupPath group, Set<Controller> controllers) {
    return controllers.stream()
        .map(controller -> trees.layout().folder(controller, group).resolve(PROCESSES))
        .distinct()
        .toList();
  }

  void enter(GroupPath group) throws IOException {
    if (trees.layout().unified()) {
      trees.makeBare(group);
    }
    List<Path> files = joinFiles(group);
    if (files.isEmpty()) {
      throw new IOException("cgroup " + group + ": expected a group to enter, found none");
    }
    for (Path file : files) {
      move(ProcessHandle.current().pid(), file);
    }
  }

  void leave() throws IOException {
    for (Path home : trees.layout().homes()) {
      move(ProcessHandle.current().pid(), present(home).resolve(PROCESSES));
    }
  }

  /** The group, or the one above it that is there still: others may have removed it meanwhile. */
  private static Path present(Path group) {
    Path above = group.getParent();
    return above == null || Files.isDirectory(group) ? group : present(above);
  }

  private void move(long process, Path file) throws IOException {
    try {
      trees.files().write(file, String.valueOf(process));
    } catch (IOException e) {
      throw new IOException(file + ": process " + process + ": " + Reasons.of(e), e);
    }
  }

  Optional<Failure> gather(GroupPath group) {
    try {
      for (GroupPath at : trees.subtree(group)) {
        for (Path file : joinFiles(at)) {
          SortedSet<Long> elsewhere = processesIn(at);
          elsewhere.removeAll(numbers(file));
          for (long process : elsewhere) {
            if (ProcessHandle.of(process).isPresent()) {
              move(process, file);
            }
          }
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(new Failure(group, PROCESSES, "", Reasons.of(e)));
    }
  }

  SortedSet<Long> processes(GroupPath group) {
    SortedSet<Long> processes = new TreeSet<>();
    try {
      for (GroupPath at : trees.subtree(group)) {
        processes.addAll(processesIn(at));
      }
    } catch (IOException e) {
      // A group that vanishes while it is read has no processes.
      return processes;
    }
    return processes;
  }

  SortedSet<Long> placedBelow(GroupPath group) {
    SortedSet<Long> processes = new TreeSet<>();
    try {
      for (GroupPath at : trees.subtree(group)) {
        processes.addAll(placed(at));
      }
    } catch (IOException e) {
      // A group that vanishes while it is read has no processes.
      return processes;
    }
    return processes;
  }

  private SortedSet<Long> processesIn(GroupPath group) throws IOException {
    SortedSet<Long> processes = new TreeSet<>();
    for (Path file : joinFiles(group)) {
      processes.addAll(numbers(file));
    }
    return processes;
  }

  /**
   * The processes in a group itself, in the tree that decides on CPUs; where the group is not in
   * that one, in the first that it is in.
   */
  SortedSet<Long> placed(GroupPath group) throws IOException {
    List<Path> folders = trees.folders(group);
    if (folders.isEmpty()) {
      return new TreeSet<>();
    }
    Path first = folders.getFirst();
    if (trees.layout().controllers().contains(Controller.CPUSET)) {
      Path deciding = trees.layout().folder(Controller.CPUSET, group);
      first = folders.contains(deciding) ? deciding : first;
    }
    return numbers(first.resolve(PROCESSES));
  }

  /** The processes in the group of a folder itself. */
  SortedSet<Long> in(Path folder) throws IOException {
    return numbers(folder.resolve(PROCESSES));
  }

  private SortedSet<Long> numbers(Path file) throws IOException {
    String text = trees.files().read(file);
    SortedSet<Long> numbers = new TreeSet<>();
    if (text != null) {
      // 0 is a process of a namespace that we cannot see into.
      text.lines()
          .flatMap(line -> Texts.number(line).stream())
          .forEach(number -> numbers.add(number));
      numbers.remove(0L);
    }
    return numbers;
  }

  boolean populated(GroupPath group) {
    if (!trees.layout().unified()) {
      return !processes(group).isEmpty();
    }
    try {
      for (Path folder : trees.folders(group)) {
        String events = trees.files().read(folder.resolve("cgroup.events"));
        if (events != null && events.lines().anyMatch("populated 1"::equals)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  Optional<Failure> kill(GroupPath group) {
    long own = ProcessHandle.current().pid();
    if (processes(group).contains(own)) {
      return Optional.of(new Failure(group, PROCESSES, "", "our own process is in it"));
    }
    long end = System.nanoTime() + KILL_MILLIS * 1_000_000;
    while (populated(group)) {
      if (!killAtOnce(group)) {
        processes(group).forEach(Members::killOne);
      }
      if (System.nanoTime() > end || !pause()) {
        return Optional.of(
            new Failure(group, PROCESSES, "", "processes " + processes(group) + " do not end"));
      }
    }
    return Optional.empty();
  }

  private static void killOne(long process) {
    ProcessHandle.of(process).ifPresent(ProcessHandle::destroyForcibly);
  }

  /** With the kernel's own file for it, where it has one. */
  private boolean killAtOnce(GroupPath group) {
    boolean done = false;
    for (Path folder : trees.folders(group)) {
      try {
        trees.files().write(folder.resolve("cgroup.kill"), "1");
        done = true;
      } catch (IOException e) {
        return false;
      }
    }
    return done;
  }

  /** False where somebody wants us to stop. */
  private static boolean pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  Optional<Failure> remove(GroupPath group) {
    long end = System.nanoTime() + REMOVE_MILLIS * 1_000_000;
    for (Path tree : trees.layout().trees()) {
      Path folder = trees.layout().folder(tree, group);
      while (true) {
        try {
          removeTree(folder);
          break;
        } catch (IOException e) {
          if (System.nanoTime() > end || !pause()) {
            return Optional.of(new Failure(group, folder.toString(), "", Reasons.of(e)));
          }
        }
      }
    }
    return Optional.empty();
  }

  private void removeTree(Path folder) throws IOException {
    for (String name : trees.files().folders(folder)) {
      removeTree(folder.resolve(name));
    }
    trees.files().remove(folder);
  }
}
