package dev.berth.agent;

import dev.berth.http.HttpReply;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;

/**
 * Tells the agent's story: as it is now, or on and on as events of a stream that browsers follow by
 * themselves. Each stream begins with the whole story, {@code story}; then comes a {@code step} for
 * all that happens, and a {@code beat} where nothing does.
 */
final class Storyteller {
  /** Listeners at a time; others hear {@code full} and come again. */
  static final int MOST = 32;

  private static final long HEARTBEAT = 5_000;

  private final Chronicle chronicle;
  private final Semaphore seats = new Semaphore(MOST);

  Storyteller(Chronicle chronicle) {
    this.chronicle = chronicle;
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
    while (!chronicle.isClosed()) {
      switch (chronicle.await(story, last, HEARTBEAT)) {
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
          if (entries.isEmpty()) {
            out.append("event: beat\ndata: {}\n\n");
          }
        }
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
