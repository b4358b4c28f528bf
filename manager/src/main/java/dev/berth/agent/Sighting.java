package dev.berth.agent;

import dev.berth.linux.ProcessId;

/** What can be seen of one start of a container. */
sealed interface Sighting {
  /** It was never begun, and will not begin any more. */
  record Absent() implements Sighting {}

  /** It has begun, and its first process is not there yet. */
  record Starting() implements Sighting {}

  /** It counts as running, though nothing was started: there is no process to be missed. */
  record Pretended() implements Sighting {}

  /** It runs. */
  record Running(ProcessId process) implements Sighting {}

  /** It has ended with this code. */
  record Ended(int code) implements Sighting {}

  /** It has ended, and with it the shell that would know its code. */
  record Lost() implements Sighting {}
}
