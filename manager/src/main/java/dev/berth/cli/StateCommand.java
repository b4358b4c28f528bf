package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth state}: Kubernetes' checkpoints, and ours. */
@Command(
    name = "state",
    description =
        "Reads, checks and converts checkpoints: cpu_manager_state and memory_manager_state.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  berth state show /var/lib/kubelet",
      "  berth state check /var/lib/kubelet --config /var/lib/kubelet/config.yaml",
      "  berth state migrate /var/lib/berth --reserved-cpus 0-1"
    })
final class StateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  private StateCommand() {}

  /** The command with its own commands. */
  static CommandLine of(Output output) {
    return new CommandLine(new StateCommand())
        .addSubcommand(new StateShowCommand(output))
        .addSubcommand(new StateCheckCommand(output))
        .addSubcommand(new StateMigrateCommand(output));
  }

  /** No command was named. */
  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
