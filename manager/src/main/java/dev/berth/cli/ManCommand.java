package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth man}: pages of the manual. */
final class ManCommand implements Command {
  static final String SUMMARY = "Prints a page of the manual in roff, or writes all of them.";

  private final Output output;
  private List<String> words = new ArrayList<>();
  private @Nullable Path folder;

  ManCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this, "man", SUMMARY, "They are made from what --help says, so both tell the same.")
        .with(
            Parameter.any("COMMAND", words, value -> words = value)
                .says("Which command, such as state show. Default: berth itself."),
            Option.named("--all")
                .maybe("DIR", Path.class, value -> folder = value)
                .says("Writes every page into a folder."))
        .footer(
            "",
            "Examples:",
            "  berth man | man -l -",
            "  berth man state show | man -l -",
            "  berth man --all /usr/local/share/man/man1")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    Path all = folder;
    if (all != null) {
      Pages.made().writeManual(Files.createDirectories(all));
      return ExitCode.DONE.number();
    }
    String wanted = String.join(" ", words);
    output
        .out()
        .print(
            Pages.manual(wanted)
                .orElseThrow(() ->
                    new InvalidInputException(
                        "command \"" + wanted + "\": expected one that berth help lists")));
    return ExitCode.DONE.number();
  }
}
