package dev.berth.ttrpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** One of several connections on a wire. */
final class Lane implements Wire {
  /** Bytes that may wait to be read: a message of the largest size, and small ones behind it. */
  private static final int LIMIT = Multiplexer.LARGEST + (1 << 20);

  private final Multiplexer multiplexer;
  private final int id;
  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private int waiting;
  private int offset;
  private Optional<String> end = Optional.empty();

  Lane(Multiplexer multiplexer, int id) {
    this.multiplexer = multiplexer;
    this.id = id;
  }

  /** A piece came from the other end. */
  synchronized void arrive(byte[] piece) throws IOException {
    if (end.isPresent() || piece.length == 0) {
      return;
    }
    if (waiting + piece.length > LIMIT) {
      throw new IOException("connection " + id + ": more than " + LIMIT + " bytes wait unread");
    }
    pieces.addLast(piece);
    waiting += piece.length;
    notifyAll();
  }

  /** Nothing more comes, for this reason; what has come can still be read. */
  synchronized void finish(String why) {
    end = end.or(() -> Optional.of(why));
    notifyAll();
  }

  private synchronized int take(byte[] into, int at, int length) throws IOException {
    while (pieces.isEmpty()) {
      if (end.isPresent()) {
        if (end.get().equals(Multiplexer.GONE)) {
          return -1;
        }
        throw new IOException(end.get());
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    byte[] piece = pieces.getFirst();
    int count = Math.min(length, piece.length - offset);
    System.arraycopy(piece, offset, into, at, count);
    offset += count;
    waiting -= count;
    if (offset == piece.length) {
      pieces.removeFirst();
      offset = 0;
    }
    return count;
  }

  @Override
  public InputStream in() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return take(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int at, int length) throws IOException {
        return length == 0 ? 0 : take(into, at, length);
      }
    };
  }

  @Override
  public OutputStream out() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int at, int length) throws IOException {
        multiplexer.send(id, bytes, at, length);
      }
    };
  }

  @Override
  public String name() {
    return multiplexer.name(id);
  }

  @Override
  public void close() {
    finish(Multiplexer.GONE);
  }
}
