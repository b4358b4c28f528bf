package dev.berth.ttrpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** One of several connections on a wire. What comes before anybody listens is kept until then. */
final class Lane implements Wire {
  /** Bytes that may wait for somebody to listen: a message of the largest size, and a bit. */
  private static final int LIMIT = Multiplexer.LARGEST + (1 << 20);

  private final Multiplexer multiplexer;
  private final int id;
  private final ByteArrayOutputStream early = new ByteArrayOutputStream();
  private Optional<Ear> ear = Optional.empty();
  private Optional<String> end = Optional.empty();

  Lane(Multiplexer multiplexer, int id) {
    this.multiplexer = multiplexer;
    this.id = id;
  }

  /** A piece came from the other end. */
  void arrive(byte[] piece) throws IOException {
    Ear listening;
    synchronized (this) {
      if (end.isPresent()) {
        return;
      }
      if (ear.isEmpty()) {
        if (early.size() + piece.length > LIMIT) {
          throw new IOException("connection " + id + ": more than " + LIMIT + " bytes wait unread");
        }
        early.writeBytes(piece);
        return;
      }
      listening = ear.get();
    }
    // Not under the lock: whoever hears may end it from another thread meanwhile.
    listening.hear(piece, 0, piece.length);
  }

  /** Nothing more comes, for this reason. */
  void finish(String why) {
    Optional<Ear> told;
    synchronized (this) {
      if (end.isPresent()) {
        return;
      }
      end = Optional.of(why);
      told = ear;
    }
    told.ifPresent(listening -> listening.end(why));
  }

  @Override
  public void listen(Ear listening) {
    synchronized (this) {
      try {
        if (early.size() > 0) {
          listening.hear(early.toByteArray(), 0, early.size());
          early.reset();
        }
      } catch (IOException e) {
        multiplexer.end(String.valueOf(e.getMessage()));
      }
      ear = Optional.of(listening);
    }
    end.ifPresent(listening::end);
  }

  @Override
  public void send(byte[] bytes) throws IOException {
    multiplexer.send(id, bytes);
  }

  @Override
  public String name() {
    return multiplexer.name(id);
  }

  @Override
  public void close() {
    finish(GONE);
  }
}
