package dev.berth.agent;

import dev.berth.linux.ProcessId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
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
import java.util.stream.Stream;

/**
 * Starts each container below a shell that outlives the agent and keeps its exit code.
 *
 * <p>Shell and agent speak through symbolic links in one folder, whose targets are the messages:
 * making one is atomic, needs no space on the disk, and whoever makes it first has it. Starting is
 * fenced that way: a shell that comes late, its agent dead and the start given up by the next one,
 * finds its place taken and ends.
 */
final class ShimLauncher implements Launcher {
  private static final String SHIM = ".shim";
  private static final String PROCESS = ".pid";
  private static final String EXIT = ".exit";
  private static final String FENCED = "fenced";
  private static final String SCRIPT = script();

  private final Path folder;
  private final WatchService watch;
  private final Thread watcher;

  /** The first process of each start, once its link was read: a link never changes. */
  private final Map<TaskId, ProcessId> processes = new ConcurrentHashMap<>();

  /** By pod, every start that may have left a trace, so that none is searched for among all. */
  private final Map<String, Set<TaskId>> starts = new ConcurrentHashMap<>();

  private ShimLauncher(Path folder, WatchService watch, Thread watcher) {
    this.folder = folder;
    this.watch = watch;
    this.watcher = watcher;
  }

  /**
   * Begins in a folder, which is made where there is none.
   *
   * @param changed told whenever a container began or ended; it must return soon
   */
  static ShimLauncher open(Path folder, Consumer<TaskId> changed) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    WatchService watch = folder.getFileSystem().newWatchService();
    folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
    Thread watcher =
        Thread.ofPlatform().daemon().name("berth-exits").start(() -> watch(watch, changed));
    ShimLauncher launcher = new ShimLauncher(folder, watch, watcher);
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
              .filter(name -> name.endsWith(EXIT) || name.endsWith(PROCESS))
              .flatMap(TaskId::ofFileName)
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

  private static String script() {
    try (InputStream in = ShimLauncher.class.getResourceAsStream("shim.sh")) {
      if (in == null) {
        throw new IllegalStateException("shim.sh is not packed with its class");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("shim.sh cannot be read", e);
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
                "-c",
                SCRIPT,
                "berth-shim",
                folder.resolve(task.id().fileName()).toString(),
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
    builder.start();
  }

  /**
   * The messages of the start before the last one: nobody asks for them. Those of the last one stay
   * until the next, or an agent that dies now would leave nothing that tells how often it started.
   */
  private void forgetOld(TaskId task) {
    if (task.attempt() > 2) {
      TaskId old = new TaskId(task.pod(), task.container(), task.attempt() - 2);
      starts.getOrDefault(task.pod(), Set.of()).remove(old);
      forget(old);
    }
  }

  private static String lines(List<Path> files) {
    return String.join("\n", files.stream().map(Path::toString).toList());
  }

  @Override
  public Sighting look(TaskId task) {
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

  @Override
  public Optional<ProcessId> process(TaskId task) {
    ProcessId seen = processes.get(task);
    if (seen != null) {
      return Optional.of(seen);
    }
    Optional<ProcessId> process = message(task, PROCESS).flatMap(ShimLauncher::process);
    process.ifPresent(found -> processes.put(task, found));
    return process;
  }

  @Override
  public Optional<Path> mark(TaskId task) {
    return Optional.of(folder.resolve(task.fileName() + PROCESS));
  }

  private Optional<String> message(TaskId task, String ending) {
    try {
      return Optional.of(
          Files.readSymbolicLink(folder.resolve(task.fileName() + ending)).toString());
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

  @Override
  public void signal(TaskId task, int number) throws IOException {
    if (look(task) instanceof Sighting.Running running) {
      running.process().signal(number);
    }
  }

  @Override
  public List<TaskId> traces() {
    try (Stream<Path> files = Files.list(folder)) {
      List<TaskId> found =
          files
              .map(file -> TaskId.ofFileName(String.valueOf(file.getFileName())))
              .flatMap(Optional::stream)
              .distinct()
              .toList();
      found.forEach(this::note);
      return found;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(folder + ": cannot be listed", e);
    }
  }

  @Override
  public void fence(TaskId task) throws IOException {
    note(task);
    try {
      Files.createSymbolicLink(folder.resolve(task.fileName() + SHIM), Path.of(FENCED));
    } catch (FileAlreadyExistsException e) {
      // The shell was first: it has begun, and is seen as such.
      return;
    }
  }

  @Override
  public void forget(String pod) {
    Set<TaskId> known = starts.remove(pod);
    if (known != null) {
      known.forEach(this::forget);
    }
  }

  private void forget(TaskId task) {
    processes.remove(task);
    for (String ending : List.of(PROCESS, EXIT, SHIM)) {
      remove(folder.resolve(task.fileName() + ending));
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

  @Override
  public void close() {
    try {
      watch.close();
      watcher.join(TimeUnit.SECONDS.toMillis(1));
    } catch (IOException e) {
      watcher.interrupt();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
