package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.replay.CaseFile;
import dev.berth.replay.RecordedCase;
import dev.berth.replay.Replay;
import dev.berth.replay.Tally;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth replay}: recorded cases through the engine. */
final class ReplayCommand implements Command {
  static final String SUMMARY = "Runs recorded cases through the engine.";

  private static final int SHOWN_CASES = 10;
  private static final int SHOWN_LINES = 5;

  private final Output output;
  private boolean check;
  private boolean explain;
  private OutputFormat format = OutputFormat.TEXT;
  private List<String> files = List.of();

  ReplayCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this,
            "replay",
            SUMMARY,
            "Prints each case with our answer in the place of 'expect'; with --check, compares the"
                + " two.")
        .with(
            Option.named("--check")
                .flag(value -> check = value)
                .says("Compare with the recorded answers."),
            Option.named("--explain")
                .flag(value -> explain = value)
                .says("Put the steps of every decision beside our answer."),
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says(
                    "text or json; cases are JSON in either, a check's summary is text by"
                        + " default."),
            Parameter.some("FILE", files, value -> files = value)
                .says("Cases, one JSON object a line: .jsonl, .jsonl.gz, or - for standard input."))
        .footer(
            "",
            "Examples:",
            "  berth replay --check cpu.jsonl.gz",
            "  zcat cases.jsonl.gz | head -1 | berth replay -",
            "",
            "Exit code 1: a case differs from what was recorded.")
        .spec();
  }

  @Override
  public Integer call() {
    // All are read before the first is answered, so that a bad one leaves nothing written.
    List<RecordedCase> cases = new ArrayList<>();
    for (String file : files) {
      new CaseFile(file).forEachCase(cases::add);
    }
    if (cases.isEmpty()) {
      throw new InvalidInputException(
          String.join(", ", files) + ": expected at least one case, found none");
    }
    if (!check) {
      cases.forEach(recorded -> output.out().println(Replay.answered(recorded, explain)));
      return ExitCode.DONE.number();
    }
    Tally tally = new Tally();
    try (Progress progress = new Progress(output, "replaying")) {
      for (int i = 0; i < cases.size(); i++) {
        progress.percent((int) (100L * i / cases.size()));
        tally.add(cases.get(i));
      }
    }
    switch (format) {
      case JSON -> output.out().println(tally.json());
      case TEXT -> tell(tally);
    }
    return (tally.differing().isEmpty() ? ExitCode.DONE : ExitCode.REFUSED).number();
  }

  private void tell(Tally tally) {
    tally.differing().stream()
        .limit(SHOWN_CASES)
        .forEach(differing -> {
          output.out().println(differing.id() + " differs:");
          differing.lines().stream()
              .limit(SHOWN_LINES)
              .forEach(line -> output.out().println("  " + line));
        });
    tally.summary().forEach(output.out()::println);
  }
}
