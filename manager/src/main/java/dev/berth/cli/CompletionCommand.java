package dev.berth.cli;

import dev.berth.cli.guide.Shell;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth completion}: what a shell needs to complete our words. */
@Command(
    name = "completion",
    description = {
      "Prints a script that completes commands, options, their values, machines, files, and the"
          + " names of pods at the agent."
    },
    footer = {
      "",
      "Examples:",
      "  berth completion bash > /etc/bash_completion.d/berth",
      "  berth completion zsh > /usr/local/share/zsh/site-functions/_berth",
      "  berth completion fish > ~/.config/fish/completions/berth.fish"
    })
final class CompletionCommand implements Callable<Integer> {
  private final Output output;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  private Shell shell = Shell.bash;

  CompletionCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() throws IOException {
    output.out().print(Pages.completion(shell));
    return ExitCode.DONE.number();
  }
}
