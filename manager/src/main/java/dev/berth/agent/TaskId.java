package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One start of a container.
 *
 * @param pod its uid
 * @param container its name
 * @param attempt the how-manieth start, from 1 on
 */
record TaskId(String pod, String container, int attempt) {
  private static final String SEPARATOR = "~";
  private static final Pattern POD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
  private static final Pattern CONTAINER = Pattern.compile("[a-z0-9][-a-z0-9]*");
  private static final Pattern ATTEMPT = Pattern.compile("[1-9][0-9]{0,8}(\\.[a-z]+)?");

  /** Names come from files and sockets, and become names of files. */
  TaskId {
    if (!POD.matcher(pod).matches() || !CONTAINER.matcher(container).matches()) {
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
    if (parts.length != 3 || !ATTEMPT.matcher(parts[2]).matches()) {
      return Optional.empty();
    }
    int dot = parts[2].indexOf('.');
    String attempt = dot < 0 ? parts[2] : parts[2].substring(0, dot);
    try {
      return Optional.of(new TaskId(parts[0], parts[1], Integer.parseInt(attempt)));
    } catch (InvalidInputException e) {
      return Optional.empty();
    }
  }
}
