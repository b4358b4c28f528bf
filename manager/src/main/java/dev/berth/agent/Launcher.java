package dev.berth.agent;

import java.io.IOException;
import java.util.List;

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

  /**
   * Sends a signal to the first process of a container, if it runs.
   *
   * @throws IOException where that process is not ours to signal
   */
  void signal(TaskId task, int number) throws IOException;

  /** Every start that has left a trace, in no order. */
  List<TaskId> traces();

  /** Makes sure that a start that was not begun cannot begin any more. */
  void fence(TaskId task) throws IOException;

  /** Forgets all starts of a pod. */
  void forget(String pod);

  @Override
  void close();
}
