package dev.berth.kubelet;

import dev.berth.workload.Container;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a container is started on the host's own root.
 *
 * @param name of the container
 * @param role when it runs
 * @param command the program and its arguments; at least one
 * @param environment what it finds in its environment, {@code $(NAME)} already replaced
 * @param workingDirectory where it starts; the root where none is named
 * @param user who it runs as; the agent's own user where none is named
 */
public record Launch(
    String name,
    Container.Role role,
    List<String> command,
    Map<String, String> environment,
    String workingDirectory,
    Optional<User> user) {
  /**
   * A user, by numbers.
   *
   * @param id the user
   * @param group the group; the user's number where none is named
   */
  public record User(int id, int group) {}

  /** Takes copies. */
  public Launch {
    command = List.copyOf(command);
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
  }
}
