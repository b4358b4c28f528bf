package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth config}: configurations, ours or a kubelet's. */
@Command(
    name = "config",
    description = "Checks and shows configurations: Berth's own, or a kubelet's.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  berth config check /etc/berth/berth.yaml",
      "  berth config check /var/lib/kubelet/config.yaml --machine epyc-7702p",
      "  berth config show --reserved-cpus 0-1"
    })
final class ConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  private ConfigCommand() {}

  /** The command with its own commands. */
  static CommandLine of(Output output) {
    return new CommandLine(new ConfigCommand())
        .addSubcommand(new ConfigCheckCommand(output))
        .addSubcommand(new ConfigShowCommand(output));
  }

  /** No command was named. */
  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
