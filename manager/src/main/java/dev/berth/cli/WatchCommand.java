package dev.berth.cli;

import dev.berth.cli.watch.Watching;
import dev.berth.terminal.FrameWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth watch}: the machine and who has it, live. */
@Command(
    name = "watch",
    description = {
      "Shows the machine live: whose each CPU is and how busy, pods, and what happens.",
      "On a terminal it fills the screen (? tells the keys, q quits); anywhere else, and where TERM"
          + " is dumb, it prints a line for each change."
    },
    footer = {
      "",
      "Examples:",
      "  berth watch",
      "  berth watch --interval 5s",
      "  berth watch --once"
    })
final class WatchCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private AgentClient client = new AgentClient();

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      description =
          "How often to look how busy the CPUs are; all else is shown as it happens. Default:"
              + " ${DEFAULT-VALUE}.")
  private String interval = "1s";

  @Option(names = "--once", description = "Prints the picture as it is now, and ends.")
  private boolean once;

  WatchCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Duration pause = Duration.ofMillis(Math.max(100, Waiting.milliseconds("--interval", interval)));
    boolean plain = !output.out().charset().newEncoder().canEncode('│');
    Watching watching =
        new Watching(client.socket(), output.out(), new FrameWriter(output.colour(), plain));
    if (once) {
      showOnce(watching);
    } else if (output.isScreen()) {
      watching.fullScreen(pause);
    } else {
      watching.lines();
    }
    return ExitCode.DONE.number();
  }

  private void showOnce(Watching watching) throws InterruptedException {
    try {
      watching.once(output.width());
    } catch (IOException e) {
      throw new AgentClient.UnreachableException(client.socket(), e);
    }
  }
}
