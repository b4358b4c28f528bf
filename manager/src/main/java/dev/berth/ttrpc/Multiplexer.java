package dev.berth.ttrpc;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Several connections on one wire. What comes on one of them is dealt with before the next is read;
 * what nobody listens to yet is bounded, and ends all of them when it is too much, since the other
 * end has lost its mind.
 */
public final class Multiplexer implements AutoCloseable {
  private static final int HEADER = 8;

  /** What one frame may hold: a message of ttRPC with its header. */
  static final int LARGEST = Message.HEADER + Message.LARGEST;

  private final Wire trunk;
  private final Map<Integer, Lane> lanes = new HashMap<>();

  private Multiplexer(Wire trunk, int... ids) {
    this.trunk = trunk;
    for (int id : ids) {
      lanes.put(id, new Lane(this, id));
    }
  }

  /**
   * Begins to listen.
   *
   * @param ids the numbers of the connections; a frame for any other ends all of them, for its
   *     sender could make us keep four thousand million connections otherwise
   */
  public static Multiplexer over(Wire trunk, int... ids) {
    Multiplexer multiplexer = new Multiplexer(trunk, ids);
    Patience patience = new Patience(Patience.LONGEST, multiplexer::end);
    Assembly frames = new Assembly(HEADER, "frame", patience, multiplexer.new Frames());
    trunk.listen(
        new Ear() {
          @Override
          public void hear(byte[] bytes, int at, int length) throws IOException {
            frames.add(bytes, at, length);
          }

          @Override
          public void end(String why) {
            multiplexer.end(why);
          }
        });
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

  /** Frames, each for one connection. */
  private final class Frames implements Assembly.Taker {
    @Override
    public int length(ByteBuffer header) throws IOException {
      lane(header.getInt());
      int length = header.getInt();
      if (length < 0 || length > LARGEST) {
        throw new IOException(
            "frame: expected at most "
                + LARGEST
                + " bytes, found "
                + Integer.toUnsignedString(length));
      }
      return length;
    }

    @Override
    public void take(ByteBuffer header, byte[] content) throws IOException {
      lane(header.getInt()).arrive(content);
    }

    private Lane lane(int id) throws IOException {
      Lane lane = lanes.get(id);
      if (lane == null) {
        throw new IOException(
            "frame: expected connection "
                + lanes.keySet().stream().sorted().map(String::valueOf).collect(joining(" or "))
                + ", found "
                + Integer.toUnsignedString(id));
      }
      return lane;
    }
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

  void send(int id, byte[] bytes) throws IOException {
    trunk.send(
        ByteBuffer.allocate(HEADER + bytes.length)
            .putInt(id)
            .putInt(bytes.length)
            .put(bytes)
            .array());
  }

  String name(int id) {
    return trunk.name() + "#" + id;
  }

  /** Ends the wire and every connection on it. */
  @Override
  public void close() {
    end(Wire.GONE);
  }
}
