package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import java.nio.file.Path;
import java.util.Optional;

/** The settings that an agent cannot change while it runs. */
final class RestartOnly {
  private RestartOnly() {}

  /**
   * Refuses settings that take a restart.
   *
   * @throws InvalidInputException naming the first that differs
   */
  static void check(NodeSettings now, NodeSettings changed) {
    // Without a policy our groups have no cpusets, and the containers in them none either.
    same(
        "cpuManagerPolicy",
        now.configuration().cpuPolicy().kubernetesName(),
        changed.configuration().cpuPolicy().kubernetesName());
    // A partition's groups lie elsewhere.
    same("berth.partition", now.own().partition(), changed.own().partition());
    // The folder is watched from the start on, and others know the sockets.
    samePath("berth.manifests", now.own().manifests(), changed.own().manifests());
    samePath("berth.devicePlugins", now.own().devicePlugins(), changed.own().devicePlugins());
    samePath("berth.podResources", now.own().podResources(), changed.own().podResources());
  }

  private static void samePath(String setting, Optional<Path> now, Optional<Path> changed) {
    same(
        setting,
        now.map(Path::toString).orElse("none"),
        changed.map(Path::toString).orElse("none"));
  }

  private static void same(String setting, Object now, Object changed) {
    if (!now.equals(changed)) {
      throw new InvalidInputException(
          setting
              + ": expected "
              + now
              + " as at the start, found "
              + changed
              + "; that takes a restart");
    }
  }
}
