package dev.berth.ttrpc;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Several connections on one wire. Owns a thread that reads; a connection that nobody reads from is
 * bounded, and ends all of them when it is full, since its other end has lost its mind.
 */
public final class Multiplexer implements AutoCloseable {
  private static final int HEADER = 8;

  /** What one frame may hold: a message of ttRPC with its header. */
  static final int LARGEST = Message.HEADER + Message.LARGEST;

  private final Wire trunk;
  private final Consumer<String> log;
  private final Map<Integer, Lane> lanes = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private Multiplexer(Wire trunk, Consumer<String> log) {
    this.trunk = trunk;
    this.log = log;
  }

  /**
   * Begins to read.
   *
   * @param log told in one line why it ended, where that was not our own doing
   */
  public static Multiplexer over(Wire trunk, Consumer<String> log) {
    Multiplexer multiplexer = new Multiplexer(trunk, log);
    Thread.ofPlatform().daemon().name("mux " + trunk.name()).start(multiplexer::read);
    return multiplexer;
  }

  /** The connection of this number, from its first byte on. */
  public Wire open(int id) {
    return lanes.computeIfAbsent(id, number -> new Lane(this, number));
  }

  private void read() {
    try (DataInputStream in = new DataInputStream(trunk.in())) {
      while (true) {
        int id = in.readInt();
        int length = in.readInt();
        if (length < 0 || length > LARGEST) {
          throw new IOException(
              "frame: expected at most "
                  + LARGEST
                  + " bytes, found "
                  + Integer.toUnsignedString(length));
        }
        byte[] piece = new byte[length];
        in.readFully(piece);
        lanes.computeIfAbsent(id, number -> new Lane(this, number)).arrive(piece);
      }
    } catch (EOFException e) {
      end("the other end has gone");
    } catch (IOException e) {
      end(String.valueOf(e.getMessage()));
    }
  }

  private void end(String why) {
    if (!closed) {
      log.accept(trunk.name() + ": connection ended: " + why);
    }
    close();
  }

  void send(int id, byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(HEADER + length);
    frame.putInt(id).putInt(length).put(bytes, offset, length);
    OutputStream out = trunk.out();
    synchronized (this) {
      out.write(frame.array());
      out.flush();
    }
  }

  String name(int id) {
    return trunk.name() + "#" + id;
  }

  /** Ends the wire and every connection on it. */
  @Override
  public void close() {
    closed = true;
    lanes.values().forEach(Lane::finish);
    try {
      trunk.close();
    } catch (IOException e) {
      // It is as good as closed: nothing more can come from it.
      return;
    }
  }
}
