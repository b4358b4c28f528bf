package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The groups of a machine that are ours.
 *
 * <p>Safe for use by several threads. One at a time brings groups to what is wanted; nobody waits
 * for one that waits for processes to end.
 */
public final class Cgroups {
  private final Trees trees;
  private final Upkeep upkeep;
  private final Members members;

  Cgroups(Layout layout, GroupFiles files) {
    trees = new Trees(layout, files);
    upkeep = new Upkeep(trees);
    members = new Members(trees);
  }

  /**
   * How this machine controls groups.
   *
   * @param name the name of our own group
   */
  public static Detected detect(String name) {
    return detect(Path.of("/"), name);
  }

  /** The same for a machine whose {@code /proc} and {@code /sys} are below a folder. */
  public static Detected detect(Path root, String name) {
    return Detector.detect(root, name);
  }

  /**
   * Groups that are pretended: nothing is read from the machine and nothing is written to it.
   *
   * @param name the name of our own group
   * @param cpus the CPUs of the pretended machine
   * @param nodes its NUMA nodes
   */
  public static DryRun dryRun(String name, CpuSet cpus, NodeSet nodes) {
    return new DryRun(name, cpus, nodes);
  }

  /** What a person would call this way of grouping, for example {@code cgroup v1 at /sys/fs}. */
  public String description() {
    return trees.layout().place();
  }

  /** What is not enforced here, a line each; none where everything is. */
  public List<String> notes() {
    return trees.layout().notes();
  }

  /** The controllers that can be used. */
  public Set<Controller> controllers() {
    return Collections.unmodifiableSet(new TreeSet<>(trees.layout().controllers()));
  }

  /** Whether this is version 2, the only one with partitions. */
  public boolean isUnified() {
    return trees.layout().unified();
  }

  /**
   * Whether our own group is right below the topmost one of version 2, which alone has no type.
   * Only there can it be a partition without those above it being one.
   */
  public boolean isAtTop() {
    Path parent = trees.layout().parents().get(Controller.CPUSET);
    return isUnified() && parent != null && !Files.exists(parent.resolve("cgroup.type"));
  }

  /**
   * Whether our own process must {@link #enter} a group of its own before any other can be made: on
   * version 2 a group cannot hold processes and hand controllers down.
   */
  public boolean mustEnter() {
    return trees.layout().leafNeeded();
  }

  /**
   * The CPUs of our own group where it is a partition, made by one before us: the kernel keeps them
   * from everybody outside, our own process included. None where it is not.
   */
  public synchronized CpuSet partitioned() {
    return upkeep.partitioned();
  }

  /**
   * Makes groups and brings them to what is wanted. What was read or written before is trusted, so
   * this touches only what differs from that.
   *
   * @param wanted each group with what it is to have; groups above it are made too, and have what
   *     their parent has where nothing is said of them
   * @throws InvalidInputException where a group is to have CPUs or nodes that its parent is not to
   */
  public synchronized Changes apply(SortedMap<GroupPath, Settings> wanted) {
    return upkeep.bring(wanted, false);
  }

  /**
   * The same, but looks at everything anew and undoes what others changed.
   *
   * @throws InvalidInputException where a group is to have CPUs or nodes that its parent is not to
   */
  public synchronized Changes reconcile(SortedMap<GroupPath, Settings> wanted) {
    return upkeep.bring(wanted, true);
  }

  /** The groups below our own that there are, in any tree. */
  public SortedSet<GroupPath> groups() {
    try {
      SortedSet<GroupPath> groups = trees.subtree(GroupPath.OWN);
      groups.remove(GroupPath.OWN);
      return groups;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The files to which a process writes {@code 0} to be in a group: one in each tree that it was
   * made in. Where somebody has removed it since, the write fails: better than to be in no group.
   * For a group that we did not make, one in each tree that it is in.
   */
  public synchronized List<Path> joinFiles(GroupPath group) {
    return upkeep
        .controllersOf(group)
        .map(controllers -> members.joinFiles(group, controllers))
        .orElseGet(() -> members.joinFiles(group));
  }

  /**
   * Moves our own process with all its threads to a group. On version 2 the group is made where it
   * is not there.
   *
   * @throws IOException where the group is not there or the kernel refuses
   */
  public void enter(GroupPath group) throws IOException {
    members.enter(group);
  }

  /**
   * Moves our own process back to where it was when groups were detected, so that all of ours can
   * be removed.
   *
   * @throws IOException where the kernel refuses
   */
  public void leave() throws IOException {
    members.leave();
  }

  /**
   * Puts the processes of a group into it in the trees that they are not in: after it was made in
   * one more, because cpusets are used from now on.
   */
  public Optional<Failure> gather(GroupPath group) {
    return members.gather(group);
  }

  /** The processes in a group and all below it, in any tree. */
  public SortedSet<Long> processes(GroupPath group) {
    return members.processes(group);
  }

  /**
   * Our own group and all below it as the kernel has them now, from the top down; none where our
   * own group is not there. The CPUs of groups without processes are not read.
   *
   * @throws IOException where they cannot be listed or read
   */
  public List<GroupState> survey() throws IOException {
    return new Survey(trees, members).groups(false);
  }

  /**
   * The CPUs of our own group and of all below it that have a cpuset.
   *
   * @throws IOException where they cannot be listed or read
   */
  public SortedMap<GroupPath, CpuSet> cpusets() throws IOException {
    SortedMap<GroupPath, CpuSet> cpusets = new TreeMap<>();
    for (GroupState state : new Survey(trees, members).groups(true)) {
      if (!state.cpus().isEmpty()) {
        cpusets.put(state.group(), state.cpus());
      }
    }
    return cpusets;
  }

  /** Where the processes of a group may run; none where it is not there or no cpuset says so. */
  public Optional<CpuSet> cpus(GroupPath group) {
    return new Survey(trees, members).cpusOf(group);
  }

  /** The processes in a group and all below it, in the tree that decides on CPUs. */
  public SortedSet<Long> placed(GroupPath group) {
    return members.placedBelow(group);
  }

  /** Whether there is a process in a group or below it. */
  public boolean populated(GroupPath group) {
    return members.populated(group);
  }

  /** Ends every process in a group and below it, and waits until they are gone, but not forever. */
  public Optional<Failure> kill(GroupPath group) {
    return members.kill(group);
  }

  /**
   * Removes a group and all below it, in every tree. Waits a little for processes that are about to
   * end. A group that is not there is as good as removed.
   */
  public Optional<Failure> remove(GroupPath group) {
    synchronized (this) {
      upkeep.forget(group);
    }
    return members.remove(group);
  }
}
