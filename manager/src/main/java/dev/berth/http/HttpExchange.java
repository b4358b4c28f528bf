package dev.berth.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A request to a unix socket and its answer, as a client sees them.
 *
 * <p>The connection stays open until this is closed, and the server can see that. What changes
 * something may take its time, as long as the server answers {@code GET /healthz} meanwhile; a
 * question is answered within a minute. A server that says nothing at all is waited for ten
 * seconds.
 */
public final class HttpExchange implements AutoCloseable {
  /** Until the server is asked whether it lives, and as long again until it has to say so. */
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private static final Duration LONGEST_QUESTION = Duration.ofMinutes(1);
  private static final Duration LONGEST_CHANGE = Duration.ofDays(10_000);

  private final SocketChannel connection;
  private final Vigil vigil;
  private final InputStream in;
  private final int status;

  private HttpExchange(SocketChannel connection, Vigil vigil) throws IOException {
    this.connection = connection;
    this.vigil = vigil;
    in = new BufferedInputStream(new Awaited(Channels.newInputStream(connection), vigil));
    String[] words = line().split(" ", 3);
    if (words.length < 2 || !words[1].matches("[1-5][0-9]{2}")) {
      throw new IOException("expected an answer in HTTP, found something else");
    }
    status = Integer.parseInt(words[1]);
    // No header of ours concerns a client: every answer ends with its connection.
    String header = line();
    while (!header.isEmpty()) {
      header = line();
    }
  }

  /** Bytes of a server, each wait for which is watched. */
  private static final class Awaited extends InputStream {
    private final InputStream from;
    private final Vigil vigil;

    Awaited(InputStream from, Vigil vigil) {
      this.from = from;
      this.vigil = vigil;
    }

    @Override
    public int read() throws IOException {
      return vigil.waiting(from::read);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return vigil.waiting(() -> from.read(bytes, offset, length));
    }

    @Override
    public int available() throws IOException {
      return from.available();
    }
  }

  /**
   * Sends a request and reads how the answer begins.
   *
   * @throws SilentServerException where the server does not say anything
   * @throws IOException where nobody listens, or the other end goes away
   */
  public static HttpExchange send(Path socket, String method, String target, String body)
      throws IOException {
    Duration most = method.equals("GET") ? LONGEST_QUESTION : LONGEST_CHANGE;
    return send(socket, method, target, body, new Vigil.Limits(SILENCE, most));
  }

  static HttpExchange send(
      Path socket, String method, String target, String body, Vigil.Limits limits)
      throws IOException {
    return send(socket, method, target, body, limits, () -> lives(socket, limits));
  }

  /** Whether a server answers at all; asked by a client that waits for it. */
  private static boolean lives(Path socket, Vigil.Limits limits) {
    try (HttpExchange probe = send(socket, "GET", "/healthz", "", limits, () -> false)) {
      return probe.status() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static HttpExchange send(
      Path socket,
      String method,
      String target,
      String body,
      Vigil.Limits limits,
      BooleanSupplier lives)
      throws IOException {
    SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX);
    Vigil vigil = new Vigil(method + " " + target, connection, limits, lives);
    try {
      byte[] content = body.getBytes(StandardCharsets.UTF_8);
      String head =
          method
              + " "
              + target
              + " HTTP/1.1\r\nHost: berth\r\nContent-Length: "
              + content.length
              + "\r\n\r\n";
      vigil.waiting(() -> connection.connect(UnixDomainSocketAddress.of(socket)));
      write(connection, vigil, head.getBytes(StandardCharsets.US_ASCII));
      writeBody(connection, vigil, content);
      return new HttpExchange(connection, vigil);
    } catch (IOException e) {
      vigil.close();
      connection.close();
      throw e;
    }
  }

  /** A server that does not want all of it answers and hangs up before it has read it. */
  private static void writeBody(SocketChannel connection, Vigil vigil, byte[] content)
      throws SilentServerException {
    try {
      write(connection, vigil, content);
    } catch (SilentServerException e) {
      throw e;
    } catch (IOException e) {
      // Where there is no answer either, reading it says so.
      return;
    }
  }

  private static void write(SocketChannel connection, Vigil vigil, byte[] bytes)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      vigil.waiting(() -> connection.write(buffer));
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended before an answer");
      }
      line.append((char) c);
    }
    return line.toString().strip();
  }

  /** The status, such as 200. */
  public int status() {
    return status;
  }

  /** The body, as it comes. */
  public InputStream body() {
    return in;
  }

  /** The body as text, once it is there as a whole. */
  public String text() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    vigil.close();
    connection.close();
  }
}
