package dev.berth.agent;

import dev.berth.linux.ProcessId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What shells and agent tell one another: symbolic links in one folder, whose targets are the
 * messages.
 *
 * <p>Making one is atomic, needs no space on the disk, and whoever makes it first has it. Starting
 * is fenced that way: a shell that comes late, its agent dead and the start given up by the next
 * one, finds its place taken and ends.
 */
final class ShimLinks {
  private static final String SHIM = ".shim";
  private static final String PROCESS = ".pid";
  private static final String EXIT = ".exit";
  private static final String FENCED = "fenced";
  private static final String ORPHAN = "orphan";

  /** Not the name of a start, whose parts are separated. */
  private static final String BOOT = "boot";

  private final Path folder;

  /** The first process of each start, once its link was read: a link never changes. */
  private final Map<TaskId, ProcessId> processes = new ConcurrentHashMap<>();

  ShimLinks(Path folder) {
    this.folder = folder;
  }

  /** Whose beginning or end a new link of this name tells. */
  static Optional<TaskId> news(String name) {
    return name.endsWith(EXIT) || name.endsWith(PROCESS)
        ? TaskId.ofFileName(name)
        : Optional.empty();
  }

  /** What the shell of a start adds its endings to. */
  Path base(TaskId task) {
    return folder.resolve(task.fileName());
  }

  private Path link(TaskId task, String ending) {
    return folder.resolve(task.fileName() + ending);
  }

  /** The link that names the first process of a start. */
  Path mark(TaskId task) {
    return link(task, PROCESS);
  }

  /** How a start is. */
  Sighting look(TaskId task) {
    // As a rule it runs, and then nothing else need be read.
    Optional<ProcessId> process = process(task);
    if (process.isPresent() && process.get().isAlive()) {
      return new Sighting.Running(process.get());
    }
    Optional<String> exit = message(task, EXIT);
    if (exit.isPresent()) {
      return new Sighting.Ended(number(exit.get()));
    }
    Optional<String> shim = message(task, SHIM);
    if (shim.isEmpty()) {
      // One that was only marked has no shell that would tell how it ended.
      return process.isPresent() ? new Sighting.Lost() : new Sighting.Starting();
    }
    if (shim.get().equals(FENCED)) {
      return new Sighting.Absent();
    }
    if (process(shim.get()).filter(ProcessId::isAlive).isPresent()) {
      return new Sighting.Starting();
    }
    // The shell may have written its last words between the two looks.
    return message(task, EXIT)
        .<Sighting>map(code -> new Sighting.Ended(number(code)))
        .orElseGet(Sighting.Lost::new);
  }

  /** The first process of a start, where it was ever told. */
  Optional<ProcessId> process(TaskId task) {
    ProcessId seen = processes.get(task);
    if (seen != null) {
      return Optional.of(seen);
    }
    Optional<ProcessId> process = message(task, PROCESS).flatMap(ShimLinks::process);
    process.ifPresent(found -> processes.put(task, found));
    return process;
  }

  private Optional<String> message(TaskId task, String ending) {
    try {
      return Optional.of(Files.readSymbolicLink(link(task, ending)).toString());
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : ContainerLife.UNSEEN;
  }

  private static Optional<ProcessId> process(String text) {
    return text.matches("[0-9]{1,10} [0-9]{1,18}")
        ? Optional.of(
            new ProcessId(
                Long.parseLong(text.substring(0, text.indexOf(' '))),
                Long.parseLong(text.substring(text.indexOf(' ') + 1))))
        : Optional.empty();
  }

  /** Every start of which there is a link. */
  List<TaskId> traces() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> TaskId.ofFileName(String.valueOf(file.getFileName())))
          .flatMap(Optional::stream)
          .distinct()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + ": cannot be listed", e);
    }
  }

  /** Takes the place of a start's shell, so that none begins from now on. */
  void fence(TaskId task) throws IOException {
    try {
      Files.createSymbolicLink(link(task, SHIM), Path.of(FENCED));
    } catch (FileAlreadyExistsException e) {
      // The shell was first: it has begun, and is seen as such.
      return;
    }
  }

  /** Marks a start whose shell is lost: it runs as long as its cgroup has processes. */
  void orphan(TaskId task) throws IOException {
    try {
      Files.createSymbolicLink(link(task, SHIM), Path.of(ORPHAN));
    } catch (FileAlreadyExistsException e) {
      // Its shell is known after all.
      return;
    }
  }

  /**
   * Notes which run of the machine the links are of from now on.
   *
   * @return whether they were of this one before; links of another run tell of no process
   */
  boolean beginBoot(String boot) throws IOException {
    Path link = folder.resolve(BOOT);
    if (Files.isSymbolicLink(link)) {
      if (Files.readSymbolicLink(link).toString().equals(boot)) {
        return true;
      }
      Files.delete(link);
    }
    Files.createSymbolicLink(link, Path.of(boot));
    return false;
  }

  /**
   * The first processes that run now, by start, as far as the links are of this run of the machine.
   */
  Map<TaskId, ProcessId> running(String boot) throws IOException {
    Map<TaskId, ProcessId> running = new HashMap<>();
    Path link = folder.resolve(BOOT);
    if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).toString().equals(boot)) {
      for (TaskId task : traces()) {
        if (look(task) instanceof Sighting.Running(ProcessId process)) {
          running.put(task, process);
        }
      }
    }
    return running;
  }

  /** No link tells of a process any more. */
  void endBoot() {
    remove(folder.resolve(BOOT));
  }

  void forget(TaskId task) {
    processes.remove(task);
    for (String ending : List.of(PROCESS, EXIT, SHIM)) {
      remove(link(task, ending));
    }
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // A trace of a pod that is gone does no harm: its uid is looked up before it counts.
      return;
    }
  }
}
