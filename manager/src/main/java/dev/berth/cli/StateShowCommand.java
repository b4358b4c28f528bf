package dev.berth.cli;

import dev.berth.topology.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth state show}: who has what. */
@Command(
    name = "show",
    description = {
      "Shows who has which CPUs and memory.",
      "With a machine named, also the NUMA nodes and L3 caches of each set of CPUs."
    },
    footer = {
      "",
      "Examples:",
      "  berth state show /var/lib/kubelet",
      "  berth state show /var/lib/berth --machine epyc-7702p -o json"
    })
final class StateShowCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private MachineSource source = new MachineSource();

  @Option(names = "-o", paramLabel = "FORMAT", description = "text or json. Default: text.")
  private OutputFormat format = OutputFormat.TEXT;

  @Parameters(paramLabel = "FILE|DIR", description = "A checkpoint, or a folder with some.")
  private Path path = Path.of("");

  StateShowCommand(Output output) {
    this.output = output;
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
