package dev.berth.agent;

import dev.berth.linux.ProcessId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Starts containers, and finds them again whoever started them. */
interface Launcher extends AutoCloseable {
  /**
   * Starts a container.
   *
   * @throws IOException where that cannot even be tried; then nothing runs
   */
  void start(Task task) throws IOException;

  /** What can be seen of a start. */
  Sighting look(TaskId task);

  /** The first process of a start, whether it still runs or not; none that was not seen yet. */
  Optional<ProcessId> process(TaskId task);

  /** The link by which a process that we do not start says that it is the first of a start. */
  Optional<Path> mark(TaskId task);

  /**
   * Sends a signal to the first process of a container, if it runs.
   *
   * @throws IOException where that process is not ours to signal
   */
  void signal(TaskId task, int number) throws IOException;

  /** Every start that has left a trace, in no order. */
  List<TaskId> traces();

  /** Whether the traces are of this run of the machine. */
  boolean isOfThisBoot();

  /** Takes a container that runs for one whose shell is lost: nothing else tells of its start. */
  void orphaned(TaskId task) throws IOException;

  /** Makes sure that a start that was not begun cannot begin any more. */
  void fence(TaskId task) throws IOException;

  /** Forgets all starts of a pod. */
  void forget(String pod);

  /** Removes what is left of its traces, now that no container runs. */
  void clear();

  @Override
  void close();
}
