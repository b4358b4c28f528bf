package dev.berth.linux;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a process started, where no group tells: its children, theirs, and all of its session, in
 * which those remain whose own parent has ended. Never the process that asks, which may have been
 * started by one it looks after: who asks about itself is the root.
 */
public final class ProcessTree {
  private ProcessTree() {}

  /** The process and its descendants that run now, by number. */
  public static SortedSet<Long> of(ProcessId root) {
    SortedSet<Long> found = new TreeSet<>();
    // A number is not given again as long as a session has it.
    if (ProcessStat.of(ProcessId.PROC, root.pid())
        .filter(stat -> stat.startTicks() != root.startTicks())
        .isPresent()) {
      return found;
    }
    long self = ProcessHandle.current().pid();
    List<ProcessStat> all = all();
    all.removeIf(stat -> stat.pid() == self && self != root.pid());
    for (ProcessStat stat : all) {
      boolean isRoot = stat.pid() == root.pid() && stat.startTicks() == root.startTicks();
      boolean inSession = stat.session() == root.pid() && stat.startTicks() >= root.startTicks();
      if (isRoot || inSession) {
        found.add(stat.pid());
      }
    }
    boolean more = true;
    while (more) {
      more = false;
      for (ProcessStat stat : all) {
        more |= found.contains(stat.parent()) && found.add(stat.pid());
      }
    }
    return found;
  }

  static List<ProcessStat> all() {
    List<ProcessStat> all = new ArrayList<>();
    for (long pid : numbers(ProcessId.PROC)) {
      ProcessStat.of(ProcessId.PROC, pid).filter(ProcessStat::isRunning).ifPresent(all::add);
    }
    return all;
  }

  /** The threads of a process; none where it has ended. */
  static List<Long> threads(long pid) {
    return numbers(ProcessId.PROC.resolve(pid + "/task"));
  }

  static List<Long> numbers(Path folder) {
    List<Long> numbers = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[0-9]*")) {
      for (Path entry : entries) {
        numbers.add(Long.parseLong(String.valueOf(entry.getFileName())));
      }
    } catch (IOException | DirectoryIteratorException e) {
      // A process that ends while it is looked at has nothing more to show.
      return numbers;
    }
    return numbers;
  }
}
