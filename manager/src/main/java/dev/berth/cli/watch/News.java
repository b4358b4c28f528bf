package dev.berth.cli.watch;

import dev.berth.terminal.Key;
import dev.berth.topology.Machine;
import java.util.List;

/** Something that whoever watches has to know. */
sealed interface News {
  /**
   * How it stands.
   *
   * @param isHere whether the agent's CPUs are those of the machine on which we run
   * @param agent the agent's process
   */
  record Seen(Machine machine, Status status, boolean isHere, long agent) implements News {}

  /**
   * Something happened.
   *
   * @param number counted since the agent's start
   * @param time when, as an instant in text
   */
  record Told(long number, String time, String kind, String pod, String message) implements News {
    /** As one line. */
    String line() {
      return time + " " + kind + (pod.isEmpty() ? "" : " " + pod) + ": " + message;
    }
  }

  /** The agent does not answer. */
  record Lost(String why) implements News {}

  /** Why a pod sits where it sits. */
  record Explained(String title, List<String> lines) implements News {
    public Explained {
      lines = List.copyOf(lines);
    }
  }

  /** How busy CPUs were. */
  record Measured(Load load) implements News {}

  /** A key. */
  record Pressed(Key key) implements News {}

  /** The terminal has another size. */
  record Resized() implements News {}
}
