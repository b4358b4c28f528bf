package dev.berth.http;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Answers requests at one {@link Listener} until it is closed.
 *
 * <p>It owns a thread that accepts, a thread that watches the time, and a virtual thread for each
 * connection, of which there are at most {@value #CONNECTION_LIMIT}.
 */
public final class HttpServer implements AutoCloseable {
  /** Connections at a time; beyond it a new one is closed at once. */
  static final int CONNECTION_LIMIT = 256;

  private static final Duration REQUEST_TIME = Duration.ofSeconds(10);

  private final Listener listener;
  private final HttpHandler handler;
  private final Consumer<String> log;
  private final Duration requestTime;
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();
  private final Semaphore bodies = new Semaphore(BodyRoom.LARGE_BYTES);
  private final ScheduledExecutorService clock;
  private final Thread acceptor;

  private HttpServer(
      Listener listener, HttpHandler handler, Consumer<String> log, Duration requestTime) {
    this.listener = listener;
    this.handler = handler;
    this.log = log;
    this.requestTime = requestTime;
    clock =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("http-clock " + listener.name()).factory());
    acceptor =
        Thread.ofPlatform().daemon().name("http-accept " + listener.name()).unstarted(this::accept);
  }

  /**
   * Starts to answer.
   *
   * @param log takes a line about every connection that ended badly
   */
  public static HttpServer start(Listener listener, HttpHandler handler, Consumer<String> log) {
    return start(listener, handler, log, REQUEST_TIME);
  }

  static HttpServer start(
      Listener listener, HttpHandler handler, Consumer<String> log, Duration requestTime) {
    HttpServer server = new HttpServer(listener, handler, log, requestTime);
    server.acceptor.start();
    return server;
  }

  private void accept() {
    while (true) {
      try {
        SocketChannel connection = listener.accept();
        if (connections.size() >= CONNECTION_LIMIT) {
          log.accept(
              listener.name() + ": more than " + CONNECTION_LIMIT + " connections, one shut");
          connection.close();
          continue;
        }
        connections.add(connection);
        Thread.ofVirtual().name("http-connection").start(() -> serve(connection));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        log.accept(listener.name() + ": cannot accept a connection: " + e.getMessage());
        pause();
      }
    }
  }

  /** Out of descriptors, for instance: some will be closed in a while. */
  private static void pause() {
    try {
      Thread.sleep(Duration.ofMillis(100));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(SocketChannel connection) {
    try (connection) {
      if (!listener.admits(connection)) {
        log.accept(listener.name() + ": a connection of another user was shut");
        return;
      }
      exchange(connection);
    } catch (IOException e) {
      log.accept(listener.name() + ": connection ended: " + words(e));
    } finally {
      connections.remove(connection);
    }
  }

  /** A channel that another thread of ours has closed says nothing of why. */
  private static String words(IOException fault) {
    return fault instanceof ClosedChannelException
        ? "shut from here: the request took too long, or the server ends"
        : String.valueOf(fault.getMessage());
  }

  private void exchange(SocketChannel connection) throws IOException {
    ScheduledFuture<?> deadline =
        clock.schedule(() -> shut(connection), requestTime.toMillis(), TimeUnit.MILLISECONDS);
    HttpReply reply;
    try (BodyRoom room = new BodyRoom(bodies)) {
      HttpRequest request =
          RequestReader.read(new BufferedInputStream(Channels.newInputStream(connection)), room);
      deadline.cancel(false);
      reply = answer(request);
    } catch (RequestReader.Garbled e) {
      log.accept(listener.name() + ": " + e.line());
      reply = HttpReply.text(e.status, e.line() + "\n");
    } finally {
      deadline.cancel(false);
    }
    write(reply, new BufferedOutputStream(Channels.newOutputStream(connection)));
  }

  private HttpReply answer(HttpRequest request) {
    try {
      return handler.answer(request);
    } catch (RuntimeException e) {
      log.accept(listener.name() + ": " + request.method() + " " + request.path() + ": " + e);
      return HttpReply.text(500, "internal error: " + e + "\n");
    }
  }

  private static void shut(SocketChannel connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // It is as good as closed: nothing more can be read from it.
      return;
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
    connections.forEach(HttpServer::shut);
  }
}
