package dev.berth.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The processes that run at one moment, with their parents and sessions. */
public final class ProcessTable {
  private final Map<Long, ProcessStat> stats = new HashMap<>();
  private final Map<Long, List<ProcessStat>> children = new HashMap<>();

  private ProcessTable(List<ProcessStat> all) {
    for (ProcessStat stat : all) {
      stats.put(stat.pid(), stat);
      children.computeIfAbsent(stat.parent(), _ -> new ArrayList<>(2)).add(stat);
    }
  }

  /** As it is now. */
  public static ProcessTable now() {
    return new ProcessTable(ProcessTree.all());
  }

  /** The process of this number; none where none had it. */
  public Optional<ProcessId> process(long pid) {
    return Optional.ofNullable(stats.get(pid)).map(ProcessTable::id);
  }

  private static ProcessId id(ProcessStat stat) {
    return new ProcessId(stat.pid(), stat.startTicks());
  }

  /** Whether this process, and no later one of its number, was there. */
  public boolean has(ProcessId process) {
    return process(process.pid()).filter(process::equals).isPresent();
  }

  /** Whether two processes were in one session. */
  public boolean shareSession(ProcessId one, ProcessId other) {
    ProcessStat first = stats.get(one.pid());
    ProcessStat second = stats.get(other.pid());
    return first != null && second != null && first.session() == second.session();
  }

  /**
   * Those of the given processes that were there, and all that descend from them.
   *
   * @param others which are left out with all that descends from them
   */
  public Set<ProcessId> withDescendants(Set<ProcessId> roots, Set<ProcessId> others) {
    Set<ProcessId> found = new HashSet<>();
    Deque<ProcessId> open = new ArrayDeque<>();
    roots.stream().filter(this::has).forEach(open::add);
    while (!open.isEmpty()) {
      ProcessId next = open.removeLast();
      if (!others.contains(next) && found.add(next)) {
        children.getOrDefault(next.pid(), List.of()).forEach(child -> open.add(id(child)));
      }
    }
    return found;
  }

  /** What the kernel calls a process; its number where it has ended. */
  public static String name(ProcessId process) {
    try {
      return Files.readString(folder(process).resolve("comm"), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      return String.valueOf(process.pid());
    }
  }

  /** Whether a process was started with a variable of this name and value. */
  public static boolean hasVariable(ProcessId process, String name, String value) {
    try {
      byte[] bytes = Files.readAllBytes(folder(process).resolve("environ"));
      String wanted = name + "=" + value;
      return List.of(new String(bytes, StandardCharsets.UTF_8).split("\0", -1)).contains(wanted);
    } catch (IOException e) {
      return false;
    }
  }

  private static Path folder(ProcessId process) {
    return ProcessId.PROC.resolve(String.valueOf(process.pid()));
  }
}
