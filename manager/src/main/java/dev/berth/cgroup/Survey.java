package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads every group of ours from the kernel, without any memory of what was written before. */
final class Survey {
  private static final String CPUS = "cpuset.cpus";

  /** Where a group may run that names no CPUs of its own: version 2, then version 1. */
  private static final List<String> EFFECTIVE =
      List.of("cpuset.cpus.effective", "cpuset.effective_cpus");

  private final Trees trees;
  private final Members members;

  Survey(Trees trees, Members members) {
    this.trees = trees;
    this.members = members;
  }

  /**
   * Our own group and all below it, from the top down, in the tree that decides on CPUs. A group
   * that vanishes meanwhile is left out.
   *
   * @param all whether the CPUs of groups without processes count too; they are not read otherwise
   * @throws IOException where our groups cannot be listed
   */
  List<GroupState> groups(boolean all) throws IOException {
    List<GroupState> states = new ArrayList<>();
    Optional<Path> tree = tree();
    if (tree.isPresent()) {
      add(GroupPath.OWN, trees.layout().folder(tree.get(), GroupPath.OWN), all, states);
    }
    return states;
  }

  /** The tree of cpusets where our group is in it, else the first that it is in. */
  private Optional<Path> tree() {
    List<Path> candidates = new ArrayList<>(trees.layout().trees());
    Path cpusets = trees.layout().parents().get(Controller.CPUSET);
    if (cpusets != null) {
      candidates.addFirst(cpusets);
    }
    return candidates.stream()
        .filter(tree -> trees.files().isFolder(trees.layout().folder(tree, GroupPath.OWN)))
        .findFirst();
  }

  private void add(GroupPath group, Path folder, boolean all, List<GroupState> states)
      throws IOException {
    try {
      SortedSet<Long> processes = processes(folder);
      boolean asked = all || !processes.isEmpty();
      states.add(
          new GroupState(
              group, asked ? cpus(group) : CpuSet.EMPTY, asked && isPartition(group), processes));
    } catch (IOException e) {
      if (trees.files().isFolder(folder)) {
        throw e;
      }
      return;
    }
    for (String name : trees.files().folders(folder)) {
      if (GroupPath.isSafe(name)) {
        add(group.child(name), folder.resolve(name), all, states);
      }
    }
  }

  /** A threaded group of version 2 lists no processes: the group above it has them. */
  private SortedSet<Long> processes(Path folder) throws IOException {
    return read(folder.resolve("cgroup.type")).equals("threaded")
        ? new TreeSet<>()
        : members.in(folder);
  }

  Optional<CpuSet> cpusOf(GroupPath group) {
    try {
      return Optional.of(cpus(group)).filter(cpus -> !cpus.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private CpuSet cpus(GroupPath group) throws IOException {
    if (!trees.layout().controllers().contains(Controller.CPUSET)) {
      return CpuSet.EMPTY;
    }
    Path folder = trees.layout().folder(Controller.CPUSET, group);
    String text = read(folder.resolve(CPUS));
    for (String file : EFFECTIVE) {
      text = text.isEmpty() ? read(folder.resolve(file)) : text;
    }
    try {
      return CpuSet.parse(text);
    } catch (InvalidInputException e) {
      throw new IOException(folder.resolve(CPUS) + ": " + e.line(), e);
    }
  }

  private boolean isPartition(GroupPath group) throws IOException {
    return trees.layout().unified()
        && trees.layout().controllers().contains(Controller.CPUSET)
        && read(trees.layout().folder(Controller.CPUSET, group).resolve("cpuset.cpus.partition"))
            .startsWith("isolated");
  }

  private String read(Path file) throws IOException {
    @Nullable String text = trees.files().read(file);
    return text == null ? "" : text;
  }
}
