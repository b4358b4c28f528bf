package dev.berth.cli;

import dev.berth.cli.guide.Shell;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth completion}: what a shell needs to complete our words. */
final class CompletionCommand implements Command {
  static final String SUMMARY =
      "Prints a script that completes commands, options, their values, machines, files, and the"
          + " names of pods at the agent.";

  private final Output output;
  private Shell shell = Shell.bash;

  CompletionCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "completion", SUMMARY)
        .with(
            Parameter.one("SHELL", Shell.class, shell, value -> shell = value)
                .says("bash, zsh or fish."))
        .footer(
            "",
            "Examples:",
            "  berth completion bash > /etc/bash_completion.d/berth",
            "  berth completion zsh > /usr/local/share/zsh/site-functions/_berth",
            "  berth completion fish > ~/.config/fish/completions/berth.fish")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    output.out().print(Pages.completion(shell));
    return ExitCode.DONE.number();
  }
}
