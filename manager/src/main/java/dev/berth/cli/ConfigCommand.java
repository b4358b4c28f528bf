package dev.berth.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth config}: configurations, ours or a kubelet's. */
final class ConfigCommand implements Command {
  static final String SUMMARY = "Checks and shows configurations: Berth's own, or a kubelet's.";

  private final Output output;

  ConfigCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "config", SUMMARY)
        .withCommands(List.of(new ConfigCheckCommand(output), new ConfigShowCommand(output)))
        .footer(
            "",
            "Examples:",
            "  berth config check /etc/berth/berth.yaml",
            "  berth config check /var/lib/kubelet/config.yaml --machine epyc-7702p",
            "  berth config show --reserved-cpus 0-1")
        .spec();
  }

  /** No command was named. */
  @Override
  public Integer call() {
    throw new UsageException("Missing command");
  }
}
