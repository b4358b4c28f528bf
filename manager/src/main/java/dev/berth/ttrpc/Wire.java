package dev.berth.ttrpc;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Bytes either way between two ends. */
public interface Wire extends AutoCloseable {
  /** Why a wire ends that nobody broke. */
  String GONE = "the other end has gone";

  /** Begins to listen: once, and from the first byte on. */
  void listen(Ear ear);

  /** Sends bytes, all of them together, whoever else sends. */
  void send(byte[] bytes) throws IOException;

  /** What it is called in a log. */
  String name();

  /** Ends it; both ends hear so. */
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

  /** The same wire, but what comes over it is dealt with on a thread of its own. */
  static Wire apart(Wire wire) {
    return new ApartWire(wire);
  }

  /** A connection that is there already. */
  static Wire of(SocketChannel channel, String name) {
    return new SocketWire(channel, name);
  }
}
