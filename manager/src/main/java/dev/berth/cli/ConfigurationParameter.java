package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A configuration that a command is about: its file may be named without a flag. */
final class ConfigurationParameter implements Part {
  private final ConfigurationFlags flags = new ConfigurationFlags();
  private @Nullable Path file;

  @Override
  public void addTo(Syntax syntax) {
    syntax.with(
        flags,
        Parameter.maybe("FILE", Path.class, value -> file = value)
            .says("A configuration, as --config."));
  }

  /**
   * What file and flags come to.
   *
   * @throws InvalidInputException where either cannot be understood, or two files are named
   * @throws IOException where the file cannot be read
   */
  NodeSettings settings() throws IOException {
    Path given = file;
    if (given != null) {
      flags.takeFile(given);
    }
    return flags.settings();
  }
}
