package dev.berth.http;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Answers requests at one {@link Listener} until it is closed.
 *
 * <p>It owns a thread that accepts, a thread that watches the time, and a virtual thread for each
 * connection. Slow clients do not keep others out, see {@link Connections}.
 */
public final class HttpServer implements AutoCloseable {
  /** Connections at a time, where descriptors are plenty. */
  public static final int MOST_CONNECTIONS = 256;

  private final Listener listener;
  private final HttpHandler handler;
  private final Consumer<String> log;
  private final Patience patience;
  private final Connections connections;
  private final Semaphore bodies = new Semaphore(BodyRoom.LARGE_BYTES);
  private final ScheduledThreadPoolExecutor clock;
  private final Thread acceptor;

  private HttpServer(
      Listener listener, HttpHandler handler, Consumer<String> log, int most, Patience patience) {
    this.listener = listener;
    this.handler = handler;
    this.log = log;
    this.patience = patience;
    connections = new Connections(most);
    clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("http-clock " + listener.name()).factory());
    // Each answer leaves several deadlines behind that were kept.
    clock.setRemoveOnCancelPolicy(true);
    acceptor =
        Thread.ofPlatform().daemon().name("http-accept " + listener.name()).unstarted(this::accept);
  }

  /**
   * Starts to answer.
   *
   * @param log takes a line about every connection that ended badly
   * @param most how many connections there are at a time
   */
  public static HttpServer start(
      Listener listener, HttpHandler handler, Consumer<String> log, int most) {
    return start(listener, handler, log, most, listener.patience());
  }

  static HttpServer start(
      Listener listener, HttpHandler handler, Consumer<String> log, int most, Patience patience) {
    HttpServer server = new HttpServer(listener, handler, log, most, patience);
    server.acceptor.start();
    return server;
  }

  /**
   * Has the JDK open the descriptors by which it learns that a virtual thread can go on reading. It
   * does so at the first wait, once: if there is no descriptor left at that moment, no virtual
   * thread can ever wait in this process.
   */
  public static void prepare() throws IOException {
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      Thread reader = Thread.ofVirtual().unstarted(() -> readByte(source));
      reader.start();
      while (reader.getState() != Thread.State.WAITING && reader.isAlive()) {
        Thread.sleep(1);
      }
      sink.write(ByteBuffer.wrap(new byte[1]));
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void readByte(Pipe.SourceChannel source) {
    try {
      source.read(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    boolean failing = false;
    while (true) {
      try {
        begin(new Connection(listener.accept(), clock, patience));
        failing = false;
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        if (!failing) {
          log.accept(listener.name() + ": cannot accept a connection: " + e.getMessage());
        }
        failing = true;
        // Out of descriptors, as a rule. A slow client's can be had; others are closed in a while.
        connections.slowest().ifPresent(Connection::shut);
        pause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void begin(Connection connection) throws InterruptedException {
    String crowded = listener.name() + ": too many connections, ";
    boolean added = false;
    try {
      added = connections.add(connection, () -> log.accept(crowded + "the slowest is shut"));
    } finally {
      if (!added) {
        connection.shut();
      }
    }
    if (added) {
      Thread.ofVirtual().name("http-connection").start(() -> serve(connection));
    } else {
      log.accept(crowded + "a new one is shut");
    }
  }

  private static void pause() {
    try {
      Thread.sleep(Duration.ofMillis(100));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(Connection connection) {
    try (SocketChannel channel = connection.channel()) {
      if (!listener.admits(channel)) {
        log.accept(listener.name() + ": a connection of another user was shut");
        return;
      }
      exchange(connection);
    } catch (IOException e) {
      log.accept(listener.name() + ": connection ended: " + words(e));
    } catch (RuntimeException e) {
      log.accept(listener.name() + ": connection ended by a fault: " + e);
    } finally {
      connections.remove(connection);
    }
  }

  /** A channel that another thread of ours has closed says nothing of why. */
  private static String words(IOException fault) {
    return fault instanceof ClosedChannelException
        ? "shut from here: its client took too long, or the server ends"
        : String.valueOf(fault.getMessage());
  }

  private void exchange(Connection connection) throws IOException {
    Future<?> deadline = connection.awaitRequest();
    HttpReply reply;
    try (BodyRoom room = new BodyRoom(bodies)) {
      HttpRequest request =
          RequestReader.read(
              new BufferedInputStream(Channels.newInputStream(connection.channel())), room);
      connection.served(deadline);
      reply = answer(request);
    } catch (RequestReader.Garbled e) {
      log.accept(listener.name() + ": " + e.line());
      reply = HttpReply.text(e.status, e.line() + "\n");
    } finally {
      deadline.cancel(false);
    }
    write(reply, new BufferedOutputStream(connection.out()));
  }

  private HttpReply answer(HttpRequest request) {
    try {
      return handler.answer(request);
    } catch (RuntimeException e) {
      log.accept(listener.name() + ": " + request.method() + " " + request.path() + ": " + e);
      return HttpReply.text(500, "internal error: " + e + "\n");
    }
  }

  private static void write(HttpReply reply, OutputStream out) throws IOException {
    StringBuilder head =
        new StringBuilder("HTTP/1.1 ")
            .append(reply.status())
            .append(reply.status() < 400 ? " OK" : " Refused")
            .append("\r\nContent-Type: ")
            .append(reply.type())
            .append("\r\nCache-Control: no-store\r\nConnection: close\r\n")
            // Nobody guesses another type, and no page of others has ours within it.
            .append("X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n")
            .append("Cross-Origin-Resource-Policy: same-origin\r\n");
    switch (reply) {
      case HttpReply.Whole whole -> {
        byte[] body = whole.body().getBytes(StandardCharsets.UTF_8);
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        out.write(head.toString().getBytes(StandardCharsets.US_ASCII));
        out.write(body);
      }
      case HttpReply.Streamed streamed -> {
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        out.flush();
        streamed.body().write(out);
      }
    }
    out.flush();
  }

  /** Shuts every connection and lets nobody in any more. */
  @Override
  public void close() throws IOException {
    listener.close();
    clock.shutdownNow();
    connections.all().forEach(Connection::shut);
  }
}
