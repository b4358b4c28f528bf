package dev.berth.ttrpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A wire whose ear has a thread of its own. */
class ApartWireTest {
  /** What happens on the wire is said to this. */
  private final AtomicReference<Ear> wire = new AtomicReference<>();

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  private void listen() {
    Wire.apart(new Silent())
        .listen(
            new Ear() {
              @Override
              public void hear(byte[] bytes, int at, int length) {
                heard.add(new String(bytes, at, length, StandardCharsets.US_ASCII));
              }

              @Override
              public void end(String why) {
                heard.add("end: " + why);
              }
            });
  }

  private void say(String word) throws IOException {
    byte[] bytes = word.getBytes(StandardCharsets.US_ASCII);
    wire.get().hear(bytes, 0, bytes.length);
  }

  private String next() throws InterruptedException {
    return String.valueOf(heard.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void whatComesAfterTheEndIsNotHeard() throws Exception {
    listen();
    say("one");
    wire.get().end("gone");
    say("late");
    wire.get().end("again");
    assertThat(List.of(next(), next())).containsExactly("one", "end: gone");
    assertThat(heard.poll(50, TimeUnit.MILLISECONDS)).isNull();
  }

  @RepeatedTest(50)
  void anEndThatComesMeanwhileHarmsNobodyWhoSpeaks() throws Exception {
    listen();
    Thread other = Thread.ofPlatform().start(() -> wire.get().end("gone"));
    for (int i = 0; i < 100; i++) {
      say("word");
    }
    other.join();
    String last = next();
    while (last.equals("word")) {
      last = next();
    }
    assertThat(last).isEqualTo("end: gone");
  }

  /** A wire on which nothing happens by itself. */
  private final class Silent implements Wire {
    @Override
    public void listen(Ear ear) {
      wire.set(ear);
    }

    @Override
    public void send(byte[] bytes) {
      throw new IllegalStateException("nobody sends here");
    }

    @Override
    public String name() {
      return "silent";
    }

    @Override
    public void close() {
      wire.get().end(GONE);
    }
  }
}
