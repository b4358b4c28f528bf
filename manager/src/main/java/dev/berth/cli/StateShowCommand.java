package dev.berth.cli;

import dev.berth.topology.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth state show}: who has what. */
final class StateShowCommand implements Command {
  private final Output output;
  private final MachineSource source = new MachineSource();
  private OutputFormat format = OutputFormat.TEXT;
  private Path path = Path.of("");

  StateShowCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this,
            "show",
            "Shows who has which CPUs and memory.",
            "With a machine named, also the NUMA nodes and L3 caches of each set of CPUs.")
        .with(
            source,
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says("text or json. Default: text."),
            Parameter.one("FILE|DIR", Path.class, path, value -> path = value)
                .says("A checkpoint, or a folder with some."))
        .footer(
            "",
            "Examples:",
            "  berth state show /var/lib/kubelet",
            "  berth state show /var/lib/berth --machine epyc-7702p -o json")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    StateFiles files = StateFiles.read(path);
    Optional<Machine> machine = source.isGiven() ? Optional.of(source.machine()) : Optional.empty();
    output
        .out()
        .print(
            switch (format) {
              case TEXT -> new StateText(machine, output.tableWidth()).render(files);
              case JSON -> new StateJson(machine).render(files) + "\n";
            });
    return ExitCode.DONE.number();
  }
}
