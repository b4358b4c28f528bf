package dev.berth.cli;

import dev.berth.agent.state.KubeletFolder;
import dev.berth.agent.state.Recovered;
import dev.berth.agent.state.StateFolder;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.CpuCheckpoint.Format;
import dev.berth.kubelet.ReconstructedPods;
import dev.berth.ledger.Before;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.topology.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth state migrate}: what becomes of those who run, under other rules. */
final class StateMigrateCommand implements Command {
  private static final Path DEFAULT = Path.of("/var/lib/berth");

  private final Output output;

  private final MachineSource source = new MachineSource();
  private final ConfigurationFlags flags = new ConfigurationFlags();
  private OutputFormat format = OutputFormat.TEXT;
  private boolean apply;
  private @Nullable Path state;
  private @Nullable Path folder;

  StateMigrateCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this,
            "migrate",
            "Shows how those who run go on when the policy, its options, the reserved CPUs or the"
                + " machine change: who keeps what they have, who moves, who loses CPUs of their"
                + " own, and why.",
            "With --apply, also writes it down; the files of before are kept aside.")
        .with(
            source,
            flags,
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says("text or json. Default: text."),
            Option.named("--apply").flag(value -> apply = value).says("Writes the outcome down."),
            Option.named("--state")
                .maybe("DIR", Path.class, value -> state = value)
                .says("The same as DIR."),
            Parameter.maybe("DIR", Path.class, value -> folder = value)
                .says("The agent's state folder, or a kubelet's. Default: /var/lib/berth."))
        .footer(
            "",
            "Exit code 1: somebody loses CPUs of their own.",
            "",
            "Examples:",
            "  berth state migrate /var/lib/berth --reserved-cpus 0-1")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    Path path = path();
    Configuration configuration = flags.settings().configuration();
    Machine machine = source.machine();
    Migration migration =
        StateFolder.isOurs(path)
            ? ours(path, machine, configuration)
            : kubelets(path, machine, configuration);
    MigrationReport report = new MigrationReport(migration);
    output
        .out()
        .print(
            switch (format) {
              case TEXT -> report.text();
              case JSON -> report.json() + "\n";
            });
    return (migration.displaced().isEmpty() ? ExitCode.DONE : ExitCode.REFUSED).number();
  }

  private Path path() throws IOException {
    if (state != null && folder != null) {
      throw new UsageException("Expected DIR or --state, found both");
    }
    Path path = folder != null ? folder : state != null ? state : DEFAULT;
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    if (!Files.isDirectory(path)) {
      throw new InvalidInputException(path + ": expected a folder, found a file");
    }
    return path;
  }

  private Migration ours(Path path, Machine machine, Configuration configuration)
      throws IOException {
    if (!apply) {
      Recovered found = StateFolder.look(path);
      found.why().forEach(output.err()::println);
      return plan(machine, configuration, found.before());
    }
    try (StateFolder locked = StateFolder.open(path)) {
      Recovered found = locked.recovered();
      found.why().forEach(output.err()::println);
      Migration migration = plan(machine, configuration, found.before());
      locked.settled(found.bootId().orElse(""), migration.node(), migration.displaced());
      output.err().println(path + ": written");
      return migration;
    }
  }

  private Migration kubelets(Path path, Machine machine, Configuration configuration)
      throws IOException {
    StateFiles files = StateFiles.read(path);
    if (apply && files.cpus().filter(file -> file.format() == Format.V1).isPresent()) {
      throw new InvalidInputException(
          path.resolve(StateFiles.CPU)
              + ": expected containers by pod and name, found them by id alone (format v1)");
    }
    Before found = StateFolder.look(path).before();
    boolean counted = configuration.memory().policy() == MemorySettings.Policy.STATIC;
    Before before =
        new Before(
            found.holdings(),
            ReconstructedPods.of(found.holdings(), counted),
            found.memory(),
            found.options());
    Migration migration = plan(machine, configuration, before);
    if (apply) {
      List<String> kept = KubeletFolder.replace(path, migration.node());
      output.err().println(path + ": written, kept aside: " + String.join(", ", kept));
    }
    return migration;
  }

  private Migration plan(Machine machine, Configuration configuration, Before before) {
    boolean memory =
        before.holdings().values().stream().map(Holding::memoryPart).anyMatch(m -> !m.isEmpty());
    if (memory && !flags.isFileGiven()) {
      throw new InvalidInputException(
          StateFiles.MEMORY
              + ": expected --config, which tells how much memory is reserved, found none");
    }
    return Migration.plan(Node.builder(machine, configuration), before);
  }
}
