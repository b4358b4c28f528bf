package dev.berth.cli.watch;

import dev.berth.terminal.Frame;
import dev.berth.terminal.FrameWriter;
import dev.berth.terminal.Key;
import dev.berth.terminal.Keys;
import dev.berth.terminal.Size;
import dev.berth.terminal.Terminal;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The ways to watch an agent: on a whole screen, as lines, or once.
 *
 * @param socket where the agent listens
 * @param out where to show it
 * @param writer what can be shown there
 */
public record Watching(Path socket, PrintStream out, FrameWriter writer) {
  /** Events are told in UTC, and so is the time beside them. */
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss'Z'");

  /** Long enough to tell a busy CPU from an idle one: the kernel counts in hundredths. */
  private static final long GLANCE_MILLISECONDS = 250;

  /** Room for every pod; what is not needed is not printed. */
  private static final int LONGEST_PAGE = 2_000;

  /** What happens in a moment is drawn at once. */
  private static final long MOMENT_MILLISECONDS = 30;

  /**
   * On a whole screen, until somebody quits.
   *
   * @param interval between two looks at how busy the CPUs are
   * @throws IOException where there is no terminal
   */
  public void fullScreen(Duration interval) throws IOException, InterruptedException {
    BlockingQueue<News> news = new LinkedBlockingQueue<>();
    try (Terminal terminal = Terminal.open(out, writer);
        AgentFeed feed = AgentFeed.start(socket, news::add)) {
      Interruptions.of(terminal, () -> news.add(new News.Resized())).heed();
      Keys keys = terminal.keys();
      Thread.ofPlatform().daemon().name("berth-keys").start(() -> listen(keys, news));
      loop(terminal, feed, news, interval);
    }
  }

  private static void listen(Keys keys, BlockingQueue<News> news) {
    News.Pressed pressed;
    do {
      pressed = new News.Pressed(keys.next());
      news.add(pressed);
    } while (pressed.key().kind() != Key.Kind.GONE);
  }

  private static void loop(
      Terminal terminal, AgentFeed feed, BlockingQueue<News> news, Duration interval)
      throws InterruptedException {
    WatchModel model = new WatchModel();
    LoadMeter meter = LoadMeter.here();
    Size size = terminal.size();
    long due = System.nanoTime();
    while (!model.isOver()) {
      if (System.nanoTime() - due >= 0) {
        model.take(new News.Measured(meter.measure(model.seen())));
        due = System.nanoTime() + interval.toNanos();
      }
      terminal.show(WatchView.draw(model, size, clock()));
      News next = news.poll(due - System.nanoTime(), TimeUnit.NANOSECONDS);
      long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOMENT_MILLISECONDS);
      while (next != null) {
        size = next instanceof News.Resized ? terminal.size() : size;
        model.take(next);
        // A thousand events at once are one picture; a key is never kept waiting.
        next = System.nanoTime() < until ? news.poll() : null;
      }
      model.takeQuestion().ifPresent(feed::explain);
    }
  }

  private static String clock() {
    return LocalTime.now(ZoneOffset.UTC).format(CLOCK);
  }

  /** A line for each change, until the process is ended. */
  public void lines() throws InterruptedException {
    BlockingQueue<News> news = new LinkedBlockingQueue<>();
    ChangeLines lines = new ChangeLines();
    try (AgentFeed feed = AgentFeed.start(socket, news::add)) {
      while (feed.isAlive()) {
        Optional<String> line = lines.of(news.take());
        if (line.isPresent()) {
          out.println(line.get());
          out.flush();
        }
      }
    }
  }

  /**
   * How it is now, as text.
   *
   * @throws IOException where no agent answers
   */
  public void once(int columns) throws IOException, InterruptedException {
    WatchModel model = new WatchModel();
    AgentLine line = AgentLine.open(socket);
    LoadMeter meter = LoadMeter.here();
    model.take(line.seen());
    meter.measure(model.seen());
    TimeUnit.MILLISECONDS.sleep(GLANCE_MILLISECONDS);
    model.take(new News.Measured(meter.measure(model.seen())));
    line.events().forEach(model::take);
    Frame frame = WatchView.page(model, new Size(columns, LONGEST_PAGE), clock());
    out.print(writer.page(frame));
    out.flush();
  }
}
