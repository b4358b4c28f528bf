package dev.berth.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** One connection of a server, and what it waits for. A client that takes too long loses it. */
final class Connection {
  /** What a connection waits for. */
  enum Wait {
    /** The client, which has not sent its whole request yet. */
    REQUEST,
    /** The server, which works on the answer. */
    ANSWER,
    /** The client, which has not read what was written. */
    READER
  }

  /** Bytes that are written at a time. */
  private static final int PIECE = 16 << 10;

  private final SocketChannel channel;
  private final ScheduledExecutorService clock;
  private final Patience patience;
  private Wait wait = Wait.REQUEST;
  private long since = System.nanoTime();

  /** One that was accepted just now. */
  Connection(SocketChannel channel, ScheduledExecutorService clock, Patience patience) {
    this.channel = channel;
    this.clock = clock;
    this.patience = patience;
  }

  SocketChannel channel() {
    return channel;
  }

  /** It waits for its request from now on, until what is returned is given back. */
  Future<?> awaitRequest() {
    return await(Wait.REQUEST, patience.request());
  }

  private Future<?> await(Wait what, Duration most) {
    become(what);
    return clock.schedule(this::shut, most.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Its client has done its part. */
  void served(Future<?> deadline) {
    deadline.cancel(false);
    become(Wait.ANSWER);
  }

  private synchronized void become(Wait what) {
    wait = what;
    since = System.nanoTime();
  }

  synchronized Wait waitsFor() {
    return wait;
  }

  /** When its present wait began, on the clock of {@link System#nanoTime}. */
  synchronized long since() {
    return since;
  }

  /** Where an answer goes: each write waits for the client, and no longer than it may. */
  OutputStream out() {
    OutputStream out = Channels.newOutputStream(channel);
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        // Piece by piece, so that a slow client that goes on reading keeps its connection.
        for (int done = 0; done < length; done += PIECE) {
          Future<?> deadline = await(Wait.READER, patience.reader());
          try {
            out.write(bytes, offset + done, Math.min(PIECE, length - done));
          } finally {
            served(deadline);
          }
        }
      }
    };
  }

  boolean isShut() {
    return !channel.isOpen();
  }

  void shut() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is as good as closed: nothing more can be read from it.
      return;
    }
  }
}
