package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Files of version 2 that are only in memory, and a record of what was done to them. */
final class PretendedFiles implements GroupFiles {
  /** An agent that runs for weeks must not fill its memory with lines that nobody takes. */
  private static final int MOST_LINES = 10_000;

  private final Map<Path, Map<String, String>> groups = new HashMap<>();
  private final Deque<String> lines = new ArrayDeque<>();

  PretendedFiles(Path mount, CpuSet cpus, NodeSet nodes) {
    groups.put(
        mount,
        new HashMap<>(Map.of("cpuset.cpus", cpus.toString(), "cpuset.mems", nodes.toString())));
  }

  synchronized List<String> takeLines() {
    List<String> taken = new ArrayList<>(lines);
    lines.clear();
    return taken;
  }

  private void say(String line) {
    if (lines.size() == MOST_LINES) {
      lines.removeFirst();
    }
    lines.addLast(line);
  }

  @Override
  public synchronized @Nullable String read(Path file) {
    Map<String, String> group = groups.get(file.getParent());
    String name = String.valueOf(file.getFileName());
    return group == null ? null : group.getOrDefault(name, fresh(name));
  }

  /** What a file of a new group holds. */
  private static String fresh(String name) {
    return switch (name) {
      case "cpu.weight" -> "100";
      case "cpu.max" -> "max 100000";
      case "memory.max" -> "max";
      case "cpuset.cpus.partition" -> "member";
      case "cgroup.controllers" -> "cpuset cpu memory hugetlb";
      case "cgroup.events" -> "populated 0";
      default -> name.startsWith("hugetlb.") ? "max" : "";
    };
  }

  @Override
  public synchronized void write(Path file, String value) throws IOException {
    Map<String, String> group = groups.get(file.getParent());
    if (group == null) {
      throw new NoSuchFileException(file.toString());
    }
    String name = String.valueOf(file.getFileName());
    say("would write " + value + " to " + file);
    switch (name) {
      case "cgroup.procs" -> {} // No process is moved, so none is found here either.
      case "cgroup.subtree_control" ->
          group.merge(name, value.substring(1), (old, more) -> old + " " + more);
      default -> group.put(name, value);
    }
  }

  @Override
  public synchronized boolean make(Path folder) throws IOException {
    if (!groups.containsKey(folder.getParent())) {
      throw new NoSuchFileException(folder.toString());
    }
    boolean made = groups.putIfAbsent(folder, new HashMap<>()) == null;
    if (made) {
      say("would make " + folder);
    }
    return made;
  }

  @Override
  public synchronized boolean remove(Path folder) {
    boolean removed = groups.remove(folder) != null;
    if (removed) {
      say("would remove " + folder);
    }
    return removed;
  }

  @Override
  public synchronized boolean isFolder(Path path) {
    return groups.containsKey(path);
  }

  @Override
  public synchronized List<String> folders(Path folder) {
    TreeSet<String> names = new TreeSet<>();
    for (Path group : groups.keySet()) {
      if (folder.equals(group.getParent())) {
        names.add(String.valueOf(group.getFileName()));
      }
    }
    return List.copyOf(names);
  }
}
