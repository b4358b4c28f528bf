package dev.berth.cli;

import dev.berth.linux.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program that this process can become.
 *
 * @param file the program's file
 * @param arguments all of them, its name first
 */
record Program(Path file, List<String> arguments) {
  /** What a shell ends with where there is no such command. */
  static final int NOT_FOUND = 127;

  /** What a shell ends with where a command cannot be started. */
  static final int NOT_STARTED = 126;

  /** The command cannot be started; the exit code is a shell's. */
  static final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1;

    final int code;

    CommandException(String line, int code) {
      super(line);
      this.code = code;
    }
  }

  /** Finds a command as a shell does. */
  static Program find(List<String> command, Map<String, String> environment) {
    String name = command.getFirst();
    if (name.contains("/")) {
      return checked(Path.of(name), command);
    }
    String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
    for (String folder : path.split(":", -1)) {
      Path file = Path.of(folder.isEmpty() ? "." : folder).resolve(name);
      if (Files.isRegularFile(file) && Files.isExecutable(file)) {
        return new Program(file, command);
      }
    }
    throw new CommandException(name + ": command not found", NOT_FOUND);
  }

  private static Program checked(Path file, List<String> command) {
    if (!Files.exists(file)) {
      throw new CommandException(file + ": no such file", NOT_FOUND);
    }
    if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
      throw new CommandException(file + ": not a file that can be run", NOT_STARTED);
    }
    return new Program(file, command);
  }

  /** Becomes it; returns only by an exception. */
  void become(Map<String, String> environment) {
    List<String> variables = new ArrayList<>();
    environment.forEach((name, value) -> variables.add(name + "=" + value));
    try {
      Posix.execve(file.toString(), arguments, variables);
    } catch (IOException first) {
      throw new CommandException(String.valueOf(first.getMessage()), NOT_STARTED);
    }
  }
}
