package dev.berth.agent;

import dev.berth.kubelet.OwnSettings.LogFormat;
import java.io.PrintStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The agent's log: a line for everything that happened, the latest {@value #KEPT} of them kept for
 * those who ask. Safe for several threads.
 */
public final class AgentLog {
  private static final int KEPT = 1_000;

  private final Deque<String> latest = new ArrayDeque<>();
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

  /** What it has said last, oldest first. */
  synchronized List<String> latest() {
    return List.copyOf(latest);
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
      latest.addLast(line);
      if (latest.size() > KEPT) {
        latest.removeFirst();
      }
      out.println(line);
      out.flush();
    }
  }
}
