package dev.berth.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A request to a unix socket and its answer, as a client sees them.
 *
 * <p>The connection stays open until this is closed, and the server can see that.
 */
public final class HttpExchange implements AutoCloseable {
  private final SocketChannel connection;
  private final InputStream in;
  private final int status;

  private HttpExchange(SocketChannel connection) throws IOException {
    this.connection = connection;
    in = new BufferedInputStream(Channels.newInputStream(connection));
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

  /**
   * Sends a request and reads how the answer begins.
   *
   * @throws IOException where nobody listens, or the other end goes away
   */
  public static HttpExchange send(Path socket, String method, String target, String body)
      throws IOException {
    SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    try {
      byte[] content = body.getBytes(StandardCharsets.UTF_8);
      String head =
          method
              + " "
              + target
              + " HTTP/1.1\r\nHost: berth\r\nContent-Length: "
              + content.length
              + "\r\n\r\n";
      write(connection, head.getBytes(StandardCharsets.US_ASCII));
      writeBody(connection, content);
      return new HttpExchange(connection);
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  /** A server that does not want all of it answers and hangs up before it has read it. */
  private static void writeBody(SocketChannel connection, byte[] content) {
    try {
      write(connection, content);
    } catch (IOException e) {
      // Where there is no answer either, reading it says so.
      return;
    }
  }

  private static void write(SocketChannel connection, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      connection.write(buffer);
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
    connection.close();
  }
}
