package dev.berth.cli;

import dev.berth.cli.watch.Watching;
import dev.berth.terminal.FrameWriter;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth watch}: the machine and who has it, live. */
final class WatchCommand implements Command {
  static final String SUMMARY =
      "Shows the machine live: whose each CPU is and how busy, pods, and what happens.";

  private final Output output;
  private final AgentClient client = new AgentClient();
  private String interval = "1s";
  private boolean once;

  WatchCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this,
            "watch",
            SUMMARY,
            "On a terminal it fills the screen (? tells the keys, q quits); anywhere else, and"
                + " where TERM is dumb, it prints a line for each change.")
        .with(
            client,
            Option.named("--interval")
                .takes("TIME", String.class, interval, value -> interval = value)
                .says(
                    "How often to look how busy the CPUs are; all else is shown as it happens."
                        + " Default: ${DEFAULT-VALUE}."),
            Option.named("--once")
                .flag(value -> once = value)
                .says("Prints the picture as it is now, and ends."))
        .footer(
            "", "Examples:", "  berth watch", "  berth watch --interval 5s", "  berth watch --once")
        .spec();
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
