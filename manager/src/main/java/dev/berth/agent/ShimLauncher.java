package dev.berth.agent;

import dev.berth.linux.OwnFolder;
import dev.berth.linux.ProcessId;
import dev.berth.linux.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Starts each container below a shell that outlives the agent and keeps its exit code.
 *
 * <p>They speak through {@link ShimLinks}.
 */
final class ShimLauncher implements Launcher {
  private final ShimLinks links;
  private final ShimProgram program;
  private final WatchService watch;
  private final Thread watcher;

  /** By pod, every start that may have left a trace, so that none is searched for among all. */
  private final Map<String, Set<TaskId>> starts = new ConcurrentHashMap<>();

  private ShimLauncher(ShimLinks links, ShimProgram program, WatchService watch, Thread watcher) {
    this.links = links;
    this.program = program;
    this.watch = watch;
    this.watcher = watcher;
  }

  /**
   * Begins in a folder, which is made where there is none.
   *
   * @throws dev.berth.cpu.InvalidInputException where others can write it
   * @param changed told whenever a container began or ended; it must return soon
   */
  static ShimLauncher open(Path folder, Consumer<TaskId> changed) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    OwnFolder.expect("runtime folder", folder, List.of());
    ShimProgram program = new ShimProgram(folder);
    program.install();
    WatchService watch = folder.getFileSystem().newWatchService();
    folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
    Thread watcher =
        Thread.ofPlatform().daemon().name("berth-exits").start(() -> watch(watch, changed));
    ShimLauncher launcher = new ShimLauncher(new ShimLinks(folder), program, watch, watcher);
    // Those of an agent before this one are to be forgotten too.
    launcher.traces();
    return launcher;
  }

  private void note(TaskId task) {
    starts.computeIfAbsent(task.pod(), pod -> ConcurrentHashMap.newKeySet()).add(task);
  }

  private static void watch(WatchService watch, Consumer<TaskId> changed) {
    try {
      while (true) {
        var key = watch.take();
        for (var event : key.pollEvents()) {
          // An overflow has no name; the next round of reconciling makes up for it.
          Optional.ofNullable(event.context())
              .map(Object::toString)
              .flatMap(ShimLinks::news)
              .ifPresent(changed);
        }
        key.reset();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.nio.file.ClosedWatchServiceException e) {
      // Closing the service is how this thread is told to end.
      return;
    }
  }

  @Override
  public void start(Task task) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "setsid",
                "-f",
                "/bin/sh",
                program.file().toString(),
                links.base(task.id()).toString(),
                task.log().toString(),
                lines(task.shimGroups()),
                lines(task.groups()),
                task.affinity().map(Object::toString).orElse(""),
                task.launch().user().map(user -> user.id() + ":" + user.group()).orElse(""),
                task.launch().workingDirectory()));
    words.addAll(task.launch().command());
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(task.environment());
    forgetOld(task.id());
    note(task.id());
    // The child forks and ends, so that no thread of ours has to wait for a shell all its life. One
    // that is killed leaves no word, and is missed when reconciling.
    if (task.exclusive()) {
      Slice.shortened(builder::start);
    } else {
      builder.start();
    }
  }

  /**
   * The messages of the start before the last one: nobody asks for them. Those of the last one stay
   * until the next, or an agent that dies now would leave nothing that tells how often it started.
   */
  private void forgetOld(TaskId task) {
    if (task.attempt() > 2) {
      TaskId old = new TaskId(task.pod(), task.container(), task.attempt() - 2);
      // None where plugins or the disk have kept every start before from reaching a shell.
      starts.computeIfPresent(
          task.pod(),
          (_, tasks) -> {
            tasks.remove(old);
            return tasks;
          });
      links.forget(old);
    }
  }

  private static String lines(List<Path> files) {
    return String.join("\n", files.stream().map(Path::toString).toList());
  }

  @Override
  public Sighting look(TaskId task) {
    return links.look(task);
  }

  @Override
  public Optional<ProcessId> process(TaskId task) {
    return links.process(task);
  }

  @Override
  public Optional<Path> mark(TaskId task) {
    return Optional.of(links.mark(task));
  }

  @Override
  public void signal(TaskId task, int number) throws IOException {
    if (look(task) instanceof Sighting.Running running) {
      running.process().signal(number);
    }
  }

  @Override
  public List<TaskId> traces() {
    List<TaskId> found = links.traces();
    found.forEach(this::note);
    return found;
  }

  @Override
  public void fence(TaskId task) throws IOException {
    note(task);
    links.fence(task);
  }

  @Override
  public void forget(String pod) {
    Set<TaskId> known = starts.remove(pod);
    if (known != null) {
      known.forEach(links::forget);
    }
  }

  @Override
  public void close() {
    try {
      if (links.traces().isEmpty()) {
        program.remove();
      }
      watch.close();
      watcher.join(TimeUnit.SECONDS.toMillis(1));
    } catch (IOException e) {
      watcher.interrupt();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
