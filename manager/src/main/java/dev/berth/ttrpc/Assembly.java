package dev.berth.ttrpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Puts together what comes in pieces: a header of a fixed size that tells how much follows, and
 * that. A piece may hold several, and one may come in any number of pieces.
 */
final class Assembly {
  /** Takes what has come whole. */
  interface Taker {
    /**
     * How many bytes follow a header.
     *
     * @throws IOException where it makes no sense
     */
    int length(ByteBuffer header) throws IOException;

    /** One is whole. */
    void take(ByteBuffer header, byte[] content) throws IOException;
  }

  private final ByteBuffer header;
  private final String what;
  private final Patience patience;
  private final Taker taker;
  private Optional<byte[]> content = Optional.empty();
  private int filled;
  private Optional<Patience.Wait> waiting = Optional.empty();

  /**
   * Of nothing yet.
   *
   * @param size of a header, in bytes
   * @param what it is called where its rest does not come
   */
  Assembly(int size, String what, Patience patience, Taker taker) {
    header = ByteBuffer.allocate(size);
    this.what = what;
    this.patience = patience;
    this.taker = taker;
  }

  /** A piece more. */
  void add(byte[] bytes, int at, int length) throws IOException {
    ByteBuffer piece = ByteBuffer.wrap(bytes, at, length);
    while (piece.hasRemaining()) {
      while (header.hasRemaining() && piece.hasRemaining()) {
        header.put(piece.get());
      }
      if (header.hasRemaining()) {
        break;
      }
      if (content.isEmpty()) {
        content = Optional.of(new byte[taker.length(header.duplicate().flip())]);
        filled = 0;
      }
      byte[] all = content.get();
      int count = Math.min(all.length - filled, piece.remaining());
      piece.get(all, filled, count);
      filled += count;
      if (filled == all.length) {
        whole(all);
      }
    }
    if (waiting.isEmpty() && header.position() > 0) {
      waiting = Optional.of(patience.begin(what));
    }
  }

  private void whole(byte[] all) throws IOException {
    waiting.ifPresent(Patience.Wait::close);
    waiting = Optional.empty();
    content = Optional.empty();
    taker.take(header.duplicate().flip(), all);
    header.clear();
  }
}
