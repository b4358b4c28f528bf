package dev.berth.ttrpc;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A wire whose ear has a thread of its own, so that whatever it does holds up no other. */
final class ApartWire implements Wire {
  private final Wire wire;

  ApartWire(Wire wire) {
    this.wire = wire;
  }

  @Override
  public void listen(Ear ear) {
    wire.listen(new Apart(ear, name()));
  }

  /**
   * Hands on what it hears; what comes once it has ended, from a thread that was on its way, not.
   */
  private static final class Apart implements Ear {
    private final Ear ear;
    private final ExecutorService thread;

    private Apart(Ear ear, String name) {
      this.ear = ear;
      thread =
          Executors.newSingleThreadExecutor(Thread.ofVirtual().name("apart " + name).factory());
    }

    @Override
    public void hear(byte[] bytes, int at, int length) {
      byte[] copy = Arrays.copyOfRange(bytes, at, at + length);
      handOn(() -> {
        try {
          ear.hear(copy, 0, copy.length);
        } catch (IOException e) {
          ear.end(String.valueOf(e.getMessage()));
        }
      });
    }

    @Override
    public synchronized void end(String why) {
      handOn(() -> ear.end(why));
      thread.shutdown();
    }

    private synchronized void handOn(Runnable news) {
      if (!thread.isShutdown()) {
        thread.execute(news);
      }
    }
  }

  @Override
  public void send(byte[] bytes) throws IOException {
    wire.send(bytes);
  }

  @Override
  public String name() {
    return wire.name();
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
