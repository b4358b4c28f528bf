package dev.berth.ttrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TtrpcTest {
  private static final Duration TIME = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private SocketChannel here;
  private SocketChannel there;

  @BeforeEach
  void connect() throws IOException {
    Path socket = folder.resolve("s");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      here = SocketChannel.open(UnixDomainSocketAddress.of(socket));
      there = server.accept();
    }
  }

  @AfterEach
  void disconnect() throws IOException {
    here.close();
    there.close();
  }

  private static ByteString text(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static ByteString echo(String service, String method, ByteString request)
      throws TtrpcException {
    return switch (method) {
      case "Refuse" -> throw new TtrpcException(9, "no room");
      case "Fault" -> throw new IllegalStateException("on purpose");
      default -> text(service + " " + method + " " + request.toStringUtf8());
    };
  }

  @Test
  void callsGoEitherWayOnSeveralConnectionsOfOneWire() throws Exception {
    try (Multiplexer left = Multiplexer.over(Wire.of(here, "left"), 1, 2);
        Multiplexer right = Multiplexer.over(Wire.of(there, "right"), 1, 2);
        TtrpcConnection one = TtrpcConnection.open(left.open(1), TtrpcTest::echo, log::add);
        TtrpcConnection two = TtrpcConnection.open(left.open(2), TtrpcHandler.NONE, log::add);
        TtrpcConnection first = TtrpcConnection.open(right.open(1), TtrpcHandler.NONE, log::add);
        TtrpcConnection second = TtrpcConnection.open(right.open(2), TtrpcTest::echo, log::add)) {
      assertThat(first.call("s", "Hello", text("there"), TIME).toStringUtf8())
          .isEqualTo("s Hello there");
      assertThat(two.call("t", "Hello", text("here"), TIME).toStringUtf8())
          .isEqualTo("t Hello here");
      assertThatThrownBy(() -> first.call("s", "Refuse", text(""), TIME))
          .isInstanceOfSatisfying(TtrpcException.class, e -> assertThat(e.code()).isEqualTo(9))
          .hasMessage("no room");
      assertThatThrownBy(() -> first.call("s", "Fault", text(""), TIME))
          .hasMessageContaining("on purpose");
      assertThatThrownBy(() -> one.call("s", "Any", text(""), TIME))
          .hasMessage("s/Any: no such method here");
      assertThat(second.end()).isNotDone();
    }
  }

  @Test
  void aMessageOfTheLargestSizePassesAndALongerOneIsNotSent() throws Exception {
    try (TtrpcConnection server =
            TtrpcConnection.open(
                Wire.of(there, "right"), (_, _, r) -> text("" + r.size()), log::add);
        TtrpcConnection client =
            TtrpcConnection.open(Wire.of(here, "left"), TtrpcHandler.NONE, log::add)) {
      ByteString large = ByteString.copyFrom(new byte[Message.LARGEST - 100]);
      assertThat(client.call("s", "M", large, TIME).toStringUtf8()).isEqualTo("" + large.size());
      ByteString larger = ByteString.copyFrom(new byte[Message.LARGEST]);
      assertThatThrownBy(() -> client.call("s", "M", larger, TIME))
          .hasMessageContaining("expected at most 4194304 bytes");
      assertThat(client.call("s", "M", text("x"), TIME).toStringUtf8()).isEqualTo("1");
      assertThat(server.end()).isNotDone();
    }
  }

  @Test
  void callsAreAnsweredInTurnAndALateAnswerGoesToNobody() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    TtrpcHandler handler =
        (_, method, _) -> {
          try {
            if (method.equals("Slow") && !go.await(20, TimeUnit.SECONDS)) {
              throw new TtrpcException(TtrpcException.UNKNOWN, "never let go");
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return text(method);
        };
    try (TtrpcConnection server = TtrpcConnection.open(Wire.of(there, "r"), handler, log::add);
        TtrpcConnection client =
            TtrpcConnection.open(Wire.of(here, "l"), TtrpcHandler.NONE, log::add)) {
      assertThatThrownBy(() -> client.call("s", "Slow", text(""), Duration.ofMillis(50)))
          .isInstanceOf(IOException.class)
          .hasMessage("Slow: no answer within 50 ms");
      go.countDown();
      assertThat(client.call("s", "Quick", text(""), TIME).toStringUtf8()).isEqualTo("Quick");
      assertThat(client.call("s", "Slow", text(""), TIME).toStringUtf8()).isEqualTo("Slow");
      assertThat(server.end()).isNotDone();
    }
  }

  @Test
  void whoeverWaitsIsToldWhenTheOtherEndGoes() throws Exception {
    try (TtrpcConnection client =
        TtrpcConnection.open(Wire.of(here, "l"), TtrpcHandler.NONE, log::add)) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              there.read(ByteBuffer.allocate(1_000));
              there.close();
            } catch (IOException e) {
              log.add("test: " + e);
            }
          });
      assertThatThrownBy(() -> client.call("s", "M", text(""), TIME))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the other end has gone");
      assertThat(client.end().get(5, TimeUnit.SECONDS)).isEqualTo("the other end has gone");
    }
  }

  private void send(ByteBuffer bytes) throws IOException {
    bytes.flip();
    there.write(bytes);
  }

  @Test
  void aFrameThatIsTooLongEndsItsConnectionWithOneLine() throws Exception {
    try (Multiplexer multiplexer = Multiplexer.over(Wire.of(here, "nri"), 1, 7);
        TtrpcConnection connection =
            TtrpcConnection.open(multiplexer.open(1), TtrpcHandler.NONE, log::add)) {
      send(ByteBuffer.allocate(8).putInt(1).putInt(-1));
      assertThat(connection.end().get(5, TimeUnit.SECONDS))
          .isEqualTo("frame: expected at most 4194314 bytes, found 4294967295");
    }
  }

  @Test
  void aMessageThatIsTooLongOrOfAnUnknownTypeEndsItsConnectionWithOneLine() throws Exception {
    try (TtrpcConnection connection =
        TtrpcConnection.open(Wire.of(here, "nri"), TtrpcHandler.NONE, log::add)) {
      send(ByteBuffer.allocate(10).putInt(5 << 20).putInt(1).put((byte) 1).put((byte) 0));
      assertThat(connection.end().get(5, TimeUnit.SECONDS))
          .isEqualTo("message: expected at most 4194304 bytes, found 5242880");
    }
  }

  @Test
  void noiseEndsAConnectionAndNothingElse() throws Exception {
    long seed = 20261116;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      connect(round);
      try (Multiplexer multiplexer = Multiplexer.over(Wire.of(here, "nri"), 1, 7);
          TtrpcConnection connection =
              TtrpcConnection.open(multiplexer.open(1), TtrpcTest::echo, log::add)) {
        byte[] noise = new byte[random.nextInt(300)];
        random.nextBytes(noise);
        there.write(ByteBuffer.wrap(noise));
        there.shutdownOutput();
        assertThat(connection.end().get(10, TimeUnit.SECONDS))
            .as("seed %d, round %d", seed, round)
            .isNotEmpty();
      }
    }
    assertThat(log).isEmpty();
  }

  private void connect(int round) throws IOException {
    disconnect();
    Path socket = folder.resolve("s" + round);
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      here = SocketChannel.open(UnixDomainSocketAddress.of(socket));
      there = server.accept();
    }
  }

  @Test
  void piecesOfAMessageMayComeInAnyNumberOfFrames() throws Exception {
    try (Multiplexer multiplexer = Multiplexer.over(Wire.of(here, "nri"), 1, 7)) {
      byte[] words = "one message in many frames".getBytes(UTF_8);
      for (byte one : words) {
        send(ByteBuffer.allocate(9).putInt(7).putInt(1).put(one));
      }
      ByteArrayOutputStream heard = new ByteArrayOutputStream();
      CountDownLatch all = new CountDownLatch(words.length);
      multiplexer
          .open(7)
          .listen(
              new Ear() {
                @Override
                public void hear(byte[] bytes, int at, int length) {
                  heard.write(bytes, at, length);
                  for (int i = 0; i < length; i++) {
                    all.countDown();
                  }
                }

                @Override
                public void end(String why) {
                  log.add(why);
                }
              });
      assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(heard.toByteArray()).isEqualTo(words);
    }
  }
}
