package dev.berth.agent;

import dev.berth.kubelet.OwnSettings.LogFormat;
import java.io.PrintStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.JsonNodeFactory;

/** The agent's log: a line for everything that happened. Safe for several threads. */
public final class AgentLog {
  private final PrintStream out;
  private final Clock clock;
  private volatile LogFormat format;

  /** Writes to a stream. */
  public AgentLog(PrintStream out, Clock clock, LogFormat format) {
    this.out = out;
    this.clock = clock;
    this.format = format;
  }

  /** From now on, writes so. */
  void format(LogFormat other) {
    format = other;
  }

  /** Writes a line about the agent itself. */
  public void line(String message) {
    write("agent", "", message);
  }

  void event(Event event) {
    write(event.kind(), event.pod(), event.message());
  }

  private void write(String kind, String pod, String message) {
    String time = clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
    String flat = message.replaceAll("\\R", " ");
    String line =
        switch (format) {
          case TEXT -> time + " " + kind + (pod.isEmpty() ? "" : " " + pod) + ": " + flat;
          case JSON ->
              JsonNodeFactory.instance
                  .objectNode()
                  .put("time", time)
                  .put("kind", kind)
                  .put("pod", pod)
                  .put("message", flat)
                  .toString();
        };
    synchronized (this) {
      out.println(line);
      out.flush();
    }
  }
}
