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

  /** Anybody can make these lines come. */
  private static final int STRANGERS_LINES_A_SECOND = 1;

  private static final int STRANGERS_BURST = 20;

  /** What happens to containers does not crowd out what is said of the agent itself. */
  private final Source events = new Source("containers", LINES_A_SECOND, BURST);

  private final Source own = new Source("the agent", LINES_A_SECOND, BURST);
  private final Source strangers =
      new Source("clients on the port", STRANGERS_LINES_A_SECOND, STRANGERS_BURST);
  private final Deque<String> latest = new ArrayDeque<>();
  private final PrintStream out;
  private final Clock clock;
  private volatile LogFormat format;

  /** Where lines come from, as many as may come from there. */
  private static final class Source {
    private final TokenBucket bucket;

    /** In a flood, a word about what is left out is not every second line. */
    private final TokenBucket notices = new TokenBucket(1, 1, System::nanoTime);

    private final String about;
    private long leftOut;

    Source(String about, int perSecond, int burst) {
      this.about = about;
      bucket = new TokenBucket(perSecond, burst, System::nanoTime);
    }
  }

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

  /** Writes a line about a client on the port, which can be anybody. */
  void stranger(String message) {
    write(strangers, "agent", "", message);
  }

  /** What it has said last, oldest first. */
  synchronized List<String> latest() {
    return List.copyOf(latest);
  }

  void event(Event event) {
    write(events, event.kind(), event.pod(), event.message());
  }

  private void write(Source source, String kind, String pod, String message) {
    synchronized (this) {
      if (!source.bucket.tryTake()) {
        source.leftOut++;
        return;
      }
      tellOfLeftOut();
      print(text(kind, pod, message));
    }
  }

  /** A flood that has ended is told about by whichever line comes next. */
  private void tellOfLeftOut() {
    for (Source source : List.of(own, events, strangers)) {
      if (source.leftOut > 0 && source.notices.tryTake()) {
        String line = " lines about " + source.about + " were left out, they came too fast";
        print(text("agent", "", source.leftOut + line));
        source.leftOut = 0;
      }
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
