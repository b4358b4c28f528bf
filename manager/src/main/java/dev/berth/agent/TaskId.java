package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import java.util.Optional;

/**
 * One start of a container.
 *
 * @param pod its uid
 * @param container its name
 * @param attempt the how-manieth start, from 1 on
 */
record TaskId(String pod, String container, int attempt) {
  private static final String SEPARATOR = "~";

  /** Names come from files and sockets, and become names of files. */
  TaskId {
    if (!pod.matches("[A-Za-z0-9][A-Za-z0-9._-]*") || !container.matches("[a-z0-9][-a-z0-9]*")) {
      throw new InvalidInputException(
          "task: expected names of letters, digits, -, . and _, found \""
              + pod
              + "\" and \""
              + container
              + "\"");
    }
  }

  /** Its name in the runtime folder, in which every part is safe and none holds the separator. */
  String fileName() {
    return pod + SEPARATOR + container + SEPARATOR + attempt;
  }

  /** What {@link #fileName} names, with any ending behind a dot. */
  static Optional<TaskId> ofFileName(String name) {
    String[] parts = name.split(SEPARATOR, -1);
    if (parts.length != 3 || !parts[2].matches("[1-9][0-9]{0,8}(\\.[a-z]+)?")) {
      return Optional.empty();
    }
    String attempt = parts[2].replaceAll("\\..*", "");
    try {
      return Optional.of(new TaskId(parts[0], parts[1], Integer.parseInt(attempt)));
    } catch (InvalidInputException e) {
      return Optional.empty();
    }
  }
}
