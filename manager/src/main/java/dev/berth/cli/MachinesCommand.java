package dev.berth.cli;

import dev.berth.json.Json;
import dev.berth.terminal.TextTable;
import dev.berth.topology.KnownMachine;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code berth machines}: lists the built-in machines. */
final class MachinesCommand implements Command {
  static final String SUMMARY = "Lists the built-in machines.";

  /** What the list can be printed as. */
  enum Form {
    /** A line a machine. */
    text,
    /** An array of objects. */
    json
  }

  private final Output output;
  private Form form = Form.text;

  MachinesCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "machines", SUMMARY)
        .with(
            Option.named("-o", "--output")
                .takes("FORM", Form.class, form, value -> form = value)
                .says("text or json. Default: ${DEFAULT-VALUE}."))
        .footer("", "Examples:", "  berth machines", "  berth machines -o json")
        .spec();
  }

  @Override
  public Integer call() {
    List<KnownMachine> machines = Machines.all();
    switch (form) {
      case text -> text(machines);
      case json -> json(machines);
    }
    return ExitCode.DONE.number();
  }

  private void text(List<KnownMachine> machines) {
    List<List<String>> rows =
        machines.stream().map(known -> List.of(known.name(), known.description())).toList();
    output.out().print(TextTable.wrapped(rows, output.tableWidth()));
  }

  private void json(List<KnownMachine> machines) {
    String separator = "[\n  ";
    for (KnownMachine known : machines) {
      Machine machine = known.machine();
      ObjectNode entry =
          JsonNodeFactory.instance
              .objectNode()
              .put("name", known.name())
              .put("description", known.description())
              .put("source", known.source())
              .put("cpus", machine.cpus().size())
              .put("nodes", machine.nodes().size());
      output.out().print(separator + Json.write(entry));
      separator = ",\n  ";
    }
    output.out().print("\n]\n");
  }
}
