package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth man}: pages of the manual. */
@Command(
    name = "man",
    description = {
      "Prints a page of the manual in roff, or writes all of them.",
      "They are made from what --help says, so both tell the same."
    },
    footer = {
      "",
      "Examples:",
      "  berth man | man -l -",
      "  berth man state show | man -l -",
      "  berth man --all /usr/local/share/man/man1"
    })
final class ManCommand implements Callable<Integer> {
  private final Output output;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "Which command, such as state show. Default: berth itself.")
  private List<String> words = new ArrayList<>();

  @Option(names = "--all", paramLabel = "DIR", description = "Writes every page into a folder.")
  private @Nullable Path folder;

  ManCommand(Output output) {
    this.output = output;
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
