package dev.berth.agent;

import dev.berth.json.Json;
import dev.berth.kubelet.OwnSettings.LogFormat;
import dev.berth.rpc.TokenBucket;
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

  /** Others' words are in it, and the latest lines are kept. */
  private static final int LONGEST = 4_000;

  /** In the long run: a runtime that asks without end is not to fill a disk. */
  private static final int LINES_A_SECOND = 100;

  /** All at once: as many containers may be found when a runtime is met. */
  private static final int BURST = 1_000;

  /** What happens to containers does not crowd out what is said of the agent itself. */
  private final TokenBucket events = new TokenBucket(LINES_A_SECOND, BURST, System::nanoTime);

  private final TokenBucket own = new TokenBucket(LINES_A_SECOND, BURST, System::nanoTime);
  private final Deque<String> latest = new ArrayDeque<>();
  private final PrintStream out;
  private final Clock clock;
  private volatile LogFormat format;
  private long leftOut;

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
    write(own, "agent", "", message);
  }

  /** What it has said last, oldest first. */
  synchronized List<String> latest() {
    return List.copyOf(latest);
  }

  void event(Event event) {
    write(events, event.kind(), event.pod(), event.message());
  }

  private void write(TokenBucket bucket, String kind, String pod, String message) {
    synchronized (this) {
      if (!bucket.tryTake()) {
        leftOut++;
        return;
      }
      // It counts as a line: in a flood it would be every second one.
      if (leftOut > 0 && bucket.tryTake()) {
        print(text("agent", "", leftOut + " lines were left out, for they came too fast"));
        leftOut = 0;
      }
      print(text(kind, pod, message));
    }
  }

  private String text(String kind, String pod, String message) {
    String time = clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
    String part = message.length() > LONGEST ? message.substring(0, LONGEST) + "…" : message;
    String flat = part.replaceAll("\\R", " ");
    return switch (format) {
      case TEXT -> time + " " + kind + (pod.isEmpty() ? "" : " " + pod) + ": " + flat;
      case JSON ->
          Json.write(
              JsonNodeFactory.instance
                  .objectNode()
                  .put("time", time)
                  .put("kind", kind)
                  .put("pod", pod)
                  .put("message", flat));
    };
  }

  private void print(String line) {
    latest.addLast(line);
    if (latest.size() > KEPT) {
      latest.removeFirst();
    }
    out.println(line);
    out.flush();
  }
}
