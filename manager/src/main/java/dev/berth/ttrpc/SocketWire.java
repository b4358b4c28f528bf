package dev.berth.ttrpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/** A socket. Owns a thread that reads, on which everything that comes of it is done. */
final class SocketWire implements Wire {
  private static final int BUFFER = 1 << 16;

  private final SocketChannel channel;
  private final String name;
  private final Patience patience;
  private volatile String why = GONE;

  SocketWire(SocketChannel channel, String name) {
    this.channel = channel;
    this.name = name;
    // One that sends and never reads would hold up whoever answers.
    patience =
        new Patience(
            Patience.LONGEST,
            line -> {
              why = line;
              shut();
            });
  }

  @Override
  public void listen(Ear ear) {
    Thread.ofPlatform().daemon().name("wire " + name).start(() -> read(ear));
  }

  private void read(Ear ear) {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    try {
      while (channel.read(buffer) >= 0) {
        ear.hear(buffer.array(), 0, buffer.position());
        buffer.clear();
      }
    } catch (ClosedChannelException e) {
      // Whoever closed it has said why.
      shut();
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    }
    shut();
    ear.end(why);
  }

  @Override
  public void send(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    synchronized (this) {
      try (Patience.Wait _ = patience.begin("frame to the other end")) {
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      } catch (ClosedChannelException e) {
        throw new IOException(why, e);
      }
    }
  }

  private void shut() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is as good as closed: nothing more can come from it.
      return;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
