package dev.berth.agent;

import dev.berth.http.HttpReply;
import dev.berth.json.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Tells the agent's story: as it is now, or on and on as events of a stream that browsers follow by
 * themselves. Each stream begins with the whole story, {@code story}; then comes a {@code step} for
 * all that happens, and a {@code beat} where nothing does. {@code kernel} tells which containers
 * the kernel has on other CPUs than wanted, whenever that changes.
 */
final class Storyteller {
  /** Listeners at a time; others hear {@code full} and come again. */
  static final int MOST = 32;

  private static final long HEARTBEAT = 5_000;

  /** How often the kernel is looked at while a page follows. */
  private static final long LOOK = 1_000;

  private final Chronicle chronicle;
  private final Supplier<List<String>> differences;
  private final Semaphore seats = new Semaphore(MOST);

  /**
   * Tells a story.
   *
   * @param differences where the kernel has containers on other CPUs than wanted, a line each
   */
  Storyteller(Chronicle chronicle, Supplier<List<String>> differences) {
    this.chronicle = chronicle;
    this.differences = differences;
  }

  HttpReply story() {
    return new HttpReply.Streamed(
        200,
        HttpReply.JSON,
        out -> {
          Writer writer = writer(out);
          new StoryText(writer).story(chronicle.snapshot());
          writer.append('\n').flush();
        });
  }

  HttpReply follow() {
    return new HttpReply.Streamed(200, "text/event-stream", out -> seated(writer(out)));
  }

  private void seated(Writer out) throws IOException {
    if (!seats.tryAcquire()) {
      out.append("event: full\ndata: {}\n\n").flush();
      return;
    }
    try {
      follow(out);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      seats.release();
    }
  }

  private void follow(Writer out) throws IOException, InterruptedException {
    StoryText text = new StoryText(out);
    StorySnapshot snapshot = chronicle.snapshot();
    tell(out, text, snapshot);
    long story = snapshot.story();
    long last = snapshot.last();
    List<String> told = List.of();
    long beat = System.nanoTime();
    while (!chronicle.isClosed()) {
      switch (chronicle.await(story, last, LOOK)) {
        case StoryNews.Anew(StorySnapshot anew) -> {
          tell(out, text, anew);
          story = anew.story();
          last = anew.last();
        }
        case StoryNews.More(var entries) -> {
          for (StoryEntry entry : entries) {
            out.append("event: step\ndata: ");
            text.step(entry);
            out.append("\n\n");
            last = entry.number();
          }
          if (entries.isEmpty() && System.nanoTime() - beat > HEARTBEAT * 1_000_000) {
            beat = System.nanoTime();
            out.append("event: beat\ndata: {}\n\n");
          }
        }
      }
      List<String> lines = differences.get();
      if (!lines.equals(told)) {
        told = lines;
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        lines.forEach(json::add);
        out.append("event: kernel\ndata: ").append(Json.write(json)).append("\n\n");
      }
      out.flush();
    }
  }

  private static void tell(Writer out, StoryText text, StorySnapshot snapshot) throws IOException {
    out.append("event: story\ndata: ");
    text.story(snapshot);
    out.append("\n\n").flush();
  }

  private static Writer writer(OutputStream out) {
    return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
  }
}
