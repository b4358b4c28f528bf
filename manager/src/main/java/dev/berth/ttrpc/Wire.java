package dev.berth.ttrpc;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Two streams of bytes between two ends. */
public interface Wire extends AutoCloseable {
  /** What comes from the other end. */
  InputStream in();

  /** What goes to the other end; a write is whole, whoever else writes. */
  OutputStream out();

  /** What it is called in a log. */
  String name();

  /** Ends it; both ends read the end of it. */
  @Override
  void close() throws IOException;

  /**
   * A connection to a unix socket.
   *
   * @throws IOException where nobody listens there
   */
  static Wire unix(Path socket) throws IOException {
    return of(SocketChannel.open(UnixDomainSocketAddress.of(socket)), socket.toString());
  }

  /** A connection that is there already. */
  static Wire of(SocketChannel channel, String name) {
    InputStream in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
    OutputStream out = Channels.newOutputStream(channel);
    return new Wire() {
      @Override
      public InputStream in() {
        return in;
      }

      @Override
      public OutputStream out() {
        return out;
      }

      @Override
      public String name() {
        return name;
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
