package dev.berth.ttrpc;

import static java.util.stream.Collectors.joining;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Several connections on one wire. Owns a thread that reads; a connection that nobody reads from is
 * bounded, and ends all of them when it is full, since its other end has lost its mind.
 */
public final class Multiplexer implements AutoCloseable {
  private static final int HEADER = 8;

  /** What one frame may hold: a message of ttRPC with its header. */
  static final int LARGEST = Message.HEADER + Message.LARGEST;

  /** Why a connection ends that nobody broke. */
  static final String GONE = "the other end has gone";

  private final Wire trunk;
  private final Patience reading = new Patience(Patience.LONGEST, this::end);
  private final Patience writing = new Patience(Patience.LONGEST, this::end);
  private final Map<Integer, Lane> lanes = new HashMap<>();

  private Multiplexer(Wire trunk, int... ids) {
    this.trunk = trunk;
    for (int id : ids) {
      lanes.put(id, new Lane(this, id));
    }
  }

  /**
   * Begins to read.
   *
   * @param ids the numbers of the connections; a frame for any other ends all of them, for its
   *     sender could make us keep four thousand million connections otherwise
   */
  public static Multiplexer over(Wire trunk, int... ids) {
    Multiplexer multiplexer = new Multiplexer(trunk, ids);
    Thread.ofPlatform().daemon().name("mux " + trunk.name()).start(multiplexer::read);
    return multiplexer;
  }

  /** The connection of this number, from its first byte on. */
  public Wire open(int id) {
    Lane lane = lanes.get(id);
    if (lane == null) {
      throw new IllegalArgumentException("connection " + id + " is none of " + lanes.keySet());
    }
    return lane;
  }

  private void read() {
    try (DataInputStream in = new DataInputStream(trunk.in())) {
      while (true) {
        int first = in.read();
        if (first < 0) {
          throw new EOFException();
        }
        try (Patience.Wait _ = reading.begin("frame")) {
          readFrame(first, in);
        }
      }
    } catch (EOFException e) {
      end(GONE);
    } catch (IOException e) {
      end(String.valueOf(e.getMessage()));
    }
  }

  private void readFrame(int first, DataInputStream in) throws IOException {
    int id = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
    Lane lane = lanes.get(id);
    if (lane == null) {
      throw new IOException(
          "frame: expected connection "
              + lanes.keySet().stream().sorted().map(String::valueOf).collect(joining(" or "))
              + ", found "
              + Integer.toUnsignedString(id));
    }
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
    lane.arrive(piece);
  }

  /** Ends the wire and every connection on it, which are told why. */
  public void end(String why) {
    lanes.values().forEach(lane -> lane.finish(why));
    try {
      trunk.close();
    } catch (IOException e) {
      // It is as good as closed: nothing more can come from it.
      return;
    }
  }

  void send(int id, byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(HEADER + length);
    frame.putInt(id).putInt(length).put(bytes, offset, length);
    OutputStream out = trunk.out();
    synchronized (this) {
      // One that sends and never reads would hold up whoever answers.
      try (Patience.Wait _ = writing.begin("frame to the other end")) {
        out.write(frame.array());
        out.flush();
      }
    }
  }

  String name(int id) {
    return trunk.name() + "#" + id;
  }

  /** Ends the wire and every connection on it. */
  @Override
  public void close() {
    end(GONE);
  }
}
