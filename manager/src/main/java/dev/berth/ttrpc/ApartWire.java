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
    ExecutorService thread =
        Executors.newSingleThreadExecutor(Thread.ofVirtual().name("apart " + name()).factory());
    wire.listen(
        new Ear() {
          @Override
          public void hear(byte[] bytes, int at, int length) {
            byte[] copy = Arrays.copyOfRange(bytes, at, at + length);
            thread.execute(() -> {
              try {
                ear.hear(copy, 0, copy.length);
              } catch (IOException e) {
                ear.end(String.valueOf(e.getMessage()));
              }
            });
          }

          @Override
          public void end(String why) {
            thread.execute(() -> ear.end(why));
            thread.shutdown();
          }
        });
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
