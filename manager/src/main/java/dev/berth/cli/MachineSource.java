package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.hwloc.HwlocXml;
import dev.berth.linux.InputFile;
import dev.berth.linux.Sysfs;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The machine that a command is about: this one, unless an option names another. */
final class MachineSource implements Part {
  private @Nullable String machine;
  private @Nullable Path sysfs;
  private @Nullable Path hwloc;

  @Override
  public void addTo(Syntax syntax) {
    syntax.withOneOf(
        Option.named("--machine")
            .maybe("NAME-OR-SPEC", String.class, value -> machine = value)
            .says("A built-in machine (see berth machines) or a spec like 'pack:2 core:8 pu:2'."),
        Option.named("--sysfs")
            .maybe("DIR", Path.class, value -> sysfs = value)
            .says("A captured tree: a folder with sys in it, or that is one."),
        Option.named("--hwloc")
            .maybe("FILE", Path.class, value -> hwloc = value)
            .says("A topology file of hwloc."));
  }

  /** Whether an option names one. */
  boolean isGiven() {
    return machine != null || sysfs != null || hwloc != null;
  }

  /**
   * The machine.
   *
   * @throws InvalidInputException where it cannot be understood
   * @throws IOException where a file cannot be read
   */
  Machine machine() throws IOException {
    if (machine != null) {
      return Machines.parse(machine);
    }
    if (sysfs != null) {
      return Sysfs.discover(sysfs);
    }
    if (hwloc != null) {
      return HwlocXml.read(
          InputFile.text(hwloc, "a topology file of hwloc"), String.valueOf(hwloc.getFileName()));
    }
    return Sysfs.here();
  }
}
