package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A configuration that a command is about: its file may be named without a flag. */
final class ConfigurationParameter {
  @Mixin private ConfigurationFlags flags = new ConfigurationFlags();

  @Parameters(paramLabel = "FILE", arity = "0..1", description = "A configuration, as --config.")
  private @Nullable Path file;

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
