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
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The machine that a command is about: this one, unless an option names another. */
final class MachineSource {
  @ArgGroup(exclusive = true)
  private @Nullable Choice choice;

  /** The three ways to name another machine, of which one can be used. */
  private static final class Choice {
    @Option(
        names = "--machine",
        paramLabel = "NAME-OR-SPEC",
        description =
            "A built-in machine (see berth machines) or a spec like 'pack:2 core:8 pu:2'.")
    private @Nullable String machine;

    @Option(
        names = "--sysfs",
        paramLabel = "DIR",
        description = "A captured tree: a folder with sys in it, or that is one.")
    private @Nullable Path sysfs;

    @Option(names = "--hwloc", paramLabel = "FILE", description = "A topology file of hwloc.")
    private @Nullable Path hwloc;
  }

  /** Whether an option names one. */
  boolean isGiven() {
    return choice != null;
  }

  /**
   * The machine.
   *
   * @throws InvalidInputException where it cannot be understood
   * @throws IOException where a file cannot be read
   */
  Machine machine() throws IOException {
    Choice chosen = choice;
    if (chosen == null) {
      return Sysfs.here();
    }
    if (chosen.machine != null) {
      return Machines.parse(chosen.machine);
    }
    if (chosen.sysfs != null) {
      return Sysfs.discover(chosen.sysfs);
    }
    if (chosen.hwloc != null) {
      return HwlocXml.read(
          InputFile.text(chosen.hwloc, "a topology file of hwloc"),
          String.valueOf(chosen.hwloc.getFileName()));
    }
    return Sysfs.here();
  }
}
