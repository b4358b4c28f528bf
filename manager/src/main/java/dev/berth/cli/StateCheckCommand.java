package dev.berth.cli;

import dev.berth.json.Json;
import dev.berth.kubelet.CheckpointRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code berth state check}: whether a node could start from checkpoints. */
final class StateCheckCommand implements Command {
  private final Output output;
  private final MachineSource source = new MachineSource();
  private final ConfigurationFlags configuration = new ConfigurationFlags();
  private OutputFormat format = OutputFormat.TEXT;
  private Path path = Path.of("");
  private final List<String> broken = new ArrayList<>();
  private final List<String> checked = new ArrayList<>();

  StateCheckCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this,
            "check",
            "Checks that a node could start from checkpoints, on this machine or another: format,"
                + " checksum, and that no CPU is lost, given twice, foreign or reserved.")
        .with(
            source,
            configuration,
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says("text or json. Default: text."),
            Parameter.one("FILE|DIR", Path.class, path, value -> path = value)
                .says("A checkpoint, or a folder with some."))
        .footer(
            "",
            "Exit code 1: a rule is broken, with a line each. 2: a file is torn, tampered with or"
                + " foreign.",
            "",
            "Examples:",
            "  berth state check /var/lib/kubelet --config /var/lib/kubelet/config.yaml")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    StateFiles files = StateFiles.read(path);
    CheckpointRules rules =
        new CheckpointRules(source.machine(), configuration.settings().configuration());
    files.cpus().ifPresent(cpus -> add(StateFiles.CPU, rules.broken(cpus)));
    files
        .memory()
        .ifPresent(memory -> {
          // Without a file nothing says what is reserved, and every account would be wrong.
          if (configuration.isFileGiven()) {
            add(StateFiles.MEMORY, rules.broken(memory));
          } else {
            checked.add(
                StateFiles.MEMORY + ": format and checksum hold; accounts need --config to check");
          }
        });
    switch (format) {
      case TEXT -> {
        checked.forEach(output.out()::println);
        broken.forEach(output.out()::println);
      }
      case JSON -> output.out().println(Json.write(json()));
    }
    return (broken.isEmpty() ? ExitCode.DONE : ExitCode.REFUSED).number();
  }

  private void add(String file, List<String> lines) {
    lines.forEach(line -> broken.add(file + ": " + line));
    if (lines.isEmpty()) {
      checked.add(file + ": all rules hold");
    }
  }

  private ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("ok", broken.isEmpty());
    checked.forEach(json.putArray("checked")::add);
    broken.forEach(json.putArray("broken")::add);
    return json;
  }
}
