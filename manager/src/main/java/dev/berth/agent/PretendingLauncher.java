package dev.berth.agent;

import dev.berth.linux.Posix;
import dev.berth.linux.ProcessId;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Starts nothing: for an agent that only decides, every container runs until it is stopped. */
final class PretendingLauncher implements Launcher {
  private static final int SIGNALLED = 128;

  private final Set<TaskId> running = new HashSet<>();
  private final Consumer<TaskId> changed;

  PretendingLauncher(Consumer<TaskId> changed) {
    this.changed = changed;
  }

  @Override
  public void start(Task task) {
    running.add(task.id());
  }

  @Override
  public Sighting look(TaskId task) {
    return running.contains(task)
        ? new Sighting.Pretended()
        : new Sighting.Ended(SIGNALLED + Posix.SIGTERM);
  }

  @Override
  public Optional<ProcessId> process(TaskId task) {
    return Optional.empty();
  }

  @Override
  public Optional<Path> mark(TaskId task) {
    return Optional.empty();
  }

  @Override
  public void signal(TaskId task, int number) {
    if (running.remove(task)) {
      changed.accept(task);
    }
  }

  @Override
  public List<TaskId> traces() {
    return List.of();
  }

  @Override
  public boolean isOfThisBoot() {
    return true;
  }

  @Override
  public void orphaned(TaskId task) {
    // No process is there to be taken for a container.
  }

  @Override
  public void fence(TaskId task) {
    // Nothing could begin.
  }

  @Override
  public void forget(String pod) {
    running.removeIf(task -> task.pod().equals(pod));
  }

  @Override
  public void clear() {
    // Nothing was left.
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
