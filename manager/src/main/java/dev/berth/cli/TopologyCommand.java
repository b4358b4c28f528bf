package dev.berth.cli;

import dev.berth.hwloc.HwlocXml;
import dev.berth.render.MachineJson;
import dev.berth.render.MachineSvg;
import dev.berth.render.MachineText;
import dev.berth.topology.Machine;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth topology}: shows a machine. */
@Command(
    name = "topology",
    description =
        "Shows a machine: this one, a built-in one, a spec, a captured tree, or hwloc's XML.",
    footer = {
      "",
      "Examples:",
      "  berth topology",
      "  berth topology --machine epyc-7702p",
      "  berth topology --machine 'pack:2 core:8 pu:2'",
      "  berth topology --machine epyc-7702p -o svg > epyc.svg"
    })
final class TopologyCommand implements Callable<Integer> {
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

  @Mixin private MachineSource source = new MachineSource();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "text",
      description = "text, json, svg or hwloc. Default: ${DEFAULT-VALUE}.")
  private Form form = Form.text;

  TopologyCommand(Output output) {
    this.output = output;
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
