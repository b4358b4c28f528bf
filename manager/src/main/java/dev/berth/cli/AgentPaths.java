package dev.berth.cli;

import dev.berth.linux.Posix;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/**
 * Where an agent keeps its things, unless told otherwise: in the system's folders for root, in the
 * user's own for anybody else.
 *
 * @param state the folder in which it writes down who is there
 * @param runtime the folder that does not outlive the machine's run
 * @param socket where its clients find it
 * @param locks where agents of root keep one another off the machine
 */
record AgentPaths(Path state, Path runtime, Path socket, Path locks) {
  /** Names another folder of locks, for tests that start several agents. */
  private static final String LOCKS = "BERTH_LOCKS";

  static AgentPaths of(Map<String, String> environment) {
    return of(environment, Posix.effectiveUser() == 0);
  }

  static AgentPaths of(Map<String, String> environment, boolean root) {
    Path locks = Path.of(named(environment, LOCKS, "/run/berth"));
    if (root) {
      return new AgentPaths(
          Path.of("/var/lib/berth"),
          Path.of("/run/berth"),
          Path.of("/run/berth/berth.sock"),
          locks);
    }
    String home = environment.getOrDefault("HOME", "/tmp");
    Path state =
        Path.of(named(environment, "XDG_STATE_HOME", home + "/.local/state")).resolve("berth");
    Path runtime = Path.of(named(environment, "XDG_RUNTIME_DIR", state.toString()));
    return new AgentPaths(state, runtime.resolve("berth"), runtime.resolve("berth.sock"), locks);
  }

  private static String named(Map<String, String> environment, String name, String otherwise) {
    String value = environment.getOrDefault(name, "");
    return value.isEmpty() ? otherwise : value;
  }

  /** The runtime folder of an agent with another state folder: no two share one. */
  Path runtimeOf(Path otherState) {
    Path absolute = otherState.toAbsolutePath().normalize();
    return absolute.equals(state)
        ? runtime
        : runtime.resolve(
            UUID.nameUUIDFromBytes(absolute.toString().getBytes(StandardCharsets.UTF_8))
                .toString());
  }
}
