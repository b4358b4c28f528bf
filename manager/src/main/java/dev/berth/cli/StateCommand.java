package dev.berth.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth state}: Kubernetes' checkpoints, and ours. */
final class StateCommand implements Command {
  static final String SUMMARY =
      "Reads, checks and converts checkpoints: cpu_manager_state and memory_manager_state.";

  private final Output output;

  StateCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "state", SUMMARY)
        .withCommands(
            List.of(
                new StateShowCommand(output),
                new StateCheckCommand(output),
                new StateMigrateCommand(output)))
        .footer(
            "",
            "Examples:",
            "  berth state show /var/lib/kubelet",
            "  berth state check /var/lib/kubelet --config /var/lib/kubelet/config.yaml",
            "  berth state migrate /var/lib/berth --reserved-cpus 0-1")
        .spec();
  }

  /** No command was named. */
  @Override
  public Integer call() {
    throw new UsageException("Missing command");
  }
}
