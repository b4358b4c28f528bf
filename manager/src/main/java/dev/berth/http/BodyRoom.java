package dev.berth.http;

import java.util.concurrent.Semaphore;

/**
 * The memory that the bodies of all connections of a server may take together: large ones are read
 * only as long as there is room, small ones always. One for each connection.
 */
final class BodyRoom implements AutoCloseable {
  /** Bytes for all large bodies together. */
  static final int LARGE_BYTES = 4 << 20;

  /** Up to here a body is small. */
  static final int SMALL_BYTES = 32 << 10;

  private final Semaphore shared;
  private int taken;

  BodyRoom(Semaphore shared) {
    this.shared = shared;
  }

  /** Takes room for a body; false where there is none now. */
  boolean take(int bytes) {
    if (bytes <= SMALL_BYTES) {
      return true;
    }
    if (!shared.tryAcquire(bytes)) {
      return false;
    }
    taken += bytes;
    return true;
  }

  @Override
  public void close() {
    shared.release(taken);
    taken = 0;
  }
}
