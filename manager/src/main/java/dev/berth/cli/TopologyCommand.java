package dev.berth.cli;

import dev.berth.hwloc.HwlocXml;
import dev.berth.render.MachineJson;
import dev.berth.render.MachineSvg;
import dev.berth.render.MachineText;
import dev.berth.topology.Machine;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth topology}: shows a machine. */
final class TopologyCommand implements Command {
  static final String SUMMARY =
      "Shows a machine: this one, a built-in one, a spec, a captured tree, or hwloc's XML.";

  /** What a machine can be shown as. */
  enum Form {
    /** For a terminal. */
    text,
    /** For programs, and to read back. */
    json,
    /** A picture. */
    svg,
    /** For hwloc's tools. */
    hwloc
  }

  private final Output output;
  private final MachineSource source = new MachineSource();
  private Form form = Form.text;

  TopologyCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "topology", SUMMARY)
        .with(
            source,
            Option.named("-o", "--output")
                .takes("FORM", Form.class, form, value -> form = value)
                .says("text, json, svg or hwloc. Default: ${DEFAULT-VALUE}."))
        .footer(
            "",
            "Examples:",
            "  berth topology",
            "  berth topology --machine epyc-7702p",
            "  berth topology --machine 'pack:2 core:8 pu:2'",
            "  berth topology --machine epyc-7702p -o svg > epyc.svg")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    Machine machine = source.machine();
    output
        .out()
        .print(
            switch (form) {
              case text -> MachineText.render(machine, output.width());
              case json -> MachineJson.write(machine);
              case svg -> MachineSvg.render(machine);
              case hwloc -> HwlocXml.write(machine);
            });
    output.out().flush();
    machine.notes().forEach(note -> output.err().print("note: " + note + "\n"));
    return ExitCode.DONE.number();
  }
}
