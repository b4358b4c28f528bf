package dev.berth.rpc;

import static dev.berth.rpc.Echo.ask;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes over a socket that nobody wants. */
class RpcStrangersTest {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  @TempDir private Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private Path socket;
  private RpcServer server;

  @BeforeEach
  void serve() throws IOException {
    socket = folder.resolve("s.sock");
    server = RpcServer.start(socket, log::add, List.of(new Echo()));
  }

  @AfterEach
  void end() throws IOException {
    server.close();
  }

  static Stream<byte[]> garbage() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    byte[] noise = new byte[4096];
    random.nextBytes(noise);
    byte[] afterPreface = new byte[4096];
    random.nextBytes(afterPreface);
    // A frame of 16 MiB, where at most 16 KiB are agreed on.
    byte[] hugeFrame = {-1, -1, -1, 0, 0, 0, 0, 0, 1};
    byte[] dataOnNoStream = {0, 0, 1, 0, 0, 0, 0, 0, 9, 0};
    return Stream.of(
        noise,
        "GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(US_ASCII),
        join(PREFACE, afterPreface),
        join(PREFACE, SETTINGS, hugeFrame),
        join(PREFACE, SETTINGS, dataOnNoStream));
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @ParameterizedTest
  @MethodSource("garbage")
  void garbageEndsItsConnectionWithOneLineAndTheServerGoesOn(byte[] garbage) throws Exception {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      send(channel, garbage);
      readToItsEnd(channel);
    }
    assertThat(log).singleElement().asString().startsWith(socket + ": connection ended: ");
    assertThat(log.getFirst()).doesNotContain("\n").hasSizeLessThan(500);
    assertThat(ask(socket, "web")).isEqualTo("web");
  }

  private static void send(SocketChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      // It may have heard enough already.
      assertThat(e).hasMessageContaining("Broken pipe");
    }
  }

  private static void readToItsEnd(SocketChannel channel) {
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    try {
      while (channel.read(buffer.clear()) >= 0) {}
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  @Test
  void aConnectionThatIsCutOffHurtsNobody() throws IOException {
    for (int cut = 1; cut < PREFACE.length + SETTINGS.length; cut++) {
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        byte[] whole = join(PREFACE, SETTINGS);
        send(channel, Arrays.copyOf(whole, cut));
      }
    }
    assertThat(ask(socket, "web")).isEqualTo("web");
  }

  @Test
  @Tag("slow")
  void whoSendsTooSlowlyIsDisconnected() throws Exception {
    Path other = folder.resolve("slow.sock");
    try (RpcServer impatient =
            RpcServer.start(other, log::add, Duration.ofSeconds(1), List.of(new Echo()));
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(other))) {
      assertThat(impatient).isNotNull();
      Thread drip = Thread.ofVirtual().start(() -> drip(channel));
      readToItsEnd(channel);
      assertThat(drip.isAlive()).isTrue();
      drip.interrupt();
      drip.join();
      assertThat(ask(socket, "web")).isEqualTo("web");
    }
    // How many had come by then is up to how busy the machine is.
    assertThat(log)
        .singleElement()
        .asString()
        .matches(
            Pattern.quote(other + ": connection ended: expected a greeting of 24 bytes within 1 s,")
                + " found [0-9]");
  }

  /** A byte at a time: the greeting alone would take a minute. */
  private static void drip(SocketChannel channel) {
    try {
      for (byte b : PREFACE) {
        send(channel, new byte[] {b});
        Thread.sleep(2_500);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aMessageThatIsTooLargeFailsItsCallWithOneLine() {
    assertThatThrownBy(() -> ask(socket, "x".repeat(5 << 20)))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(log)
        .singleElement()
        .asString()
        .contains("call of v1.PodResourcesLister/Get failed: RESOURCE_EXHAUSTED");
    assertThat(ask(socket, "web")).isEqualTo("web");
  }

  @Test
  void aClientThatMisbehavesForeverDoesNotFillTheLog() throws IOException {
    for (int i = 0; i < 100; i++) {
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        send(channel, "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
        readToItsEnd(channel);
      }
    }
    assertThat(log).hasSizeBetween(10, 50);
  }

  @Test
  void nothingOfTheLibrariesReachesStandardError() throws IOException {
    PrintStream before = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, US_ASCII));
    try {
      try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        send(channel, "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
        readToItsEnd(channel);
      }
      ask(socket, "web");
      server.close();
    } finally {
      System.setErr(before);
    }
    assertThat(bytes.toString(US_ASCII)).isEmpty();
  }
}
