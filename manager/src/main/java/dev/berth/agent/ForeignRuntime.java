package dev.berth.agent;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The runtime whose containers an agent looks after.
 *
 * @param kind how it is spoken to
 * @param socket where it listens
 */
public record ForeignRuntime(Kind kind, Path socket) {
  /** How a runtime is spoken to. */
  public enum Kind {
    /** It asks us before it creates a container. */
    NRI("/var/run/nri/nri.sock"),
    /** We look at what it has created. */
    CRI("/run/containerd/containerd.sock");

    private final Path usual;

    Kind(String usual) {
      this.usual = Path.of(usual);
    }

    /** Where one usually listens. */
    public Path usualSocket() {
      return usual;
    }
  }

  /** A connection to it, which has not begun. */
  RuntimeLink link(
      Guests guests, PluginDevices plugins, Loop loop, Consumer<String> log, boolean pretending) {
    return switch (kind) {
      case NRI -> new NriLink(socket, guests, plugins, loop, log, pretending);
      case CRI -> new CriLink(socket, guests, loop, log, pretending);
    };
  }
}
