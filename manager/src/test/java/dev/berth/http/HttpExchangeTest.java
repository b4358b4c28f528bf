package dev.berth.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client and a server that is slow, or silent. */
class HttpExchangeTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir private Path folder;
  private Path socket;

  @BeforeEach
  void name() {
    socket = folder.resolve("s.sock");
  }

  private String send(String method, Vigil.Limits limits) throws IOException {
    try (HttpExchange exchange = HttpExchange.send(socket, method, "/pods", "", limits)) {
      return exchange.text();
    }
  }

  private ServerSocketChannel silent(int backlog) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    return server.bind(UnixDomainSocketAddress.of(socket), backlog);
  }

  @Test
  void aServerThatTakesAConnectionAndSaysNothingIsNotWaitedForLong() throws IOException {
    try (ServerSocketChannel _ = silent(50)) {
      assertThatThrownBy(() -> send("DELETE", new Vigil.Limits(SHORT, LONG)))
          .isInstanceOf(SilentServerException.class)
          .hasMessage("no answer to DELETE /pods for 0 s");
    }
  }

  @Test
  void aServerThatTakesNoConnectionIsNotWaitedForLong() throws IOException {
    List<SocketChannel> waiting = new ArrayList<>();
    try (ServerSocketChannel _ = silent(1)) {
      while (true) {
        SocketChannel next = SocketChannel.open(StandardProtocolFamily.UNIX);
        waiting.add(next);
        next.configureBlocking(false);
        try {
          next.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
          break;
        }
        if (!next.isConnected()) {
          break;
        }
      }
      assertThatThrownBy(() -> send("GET", new Vigil.Limits(SHORT, LONG)))
          .isInstanceOf(SilentServerException.class);
    } finally {
      for (SocketChannel one : waiting) {
        one.close();
      }
    }
  }

  @Test
  void aServerThatLivesMayTakeItsTimeForAChangeAndNotForAQuestion() throws IOException {
    CountDownLatch probes = new CountDownLatch(3);
    CountDownLatch over = new CountDownLatch(1);
    HttpHandler handler =
        request -> {
          if (request.path().equals("/healthz")) {
            probes.countDown();
            return HttpReply.text(503, "not ready, but alive\n");
          }
          await(request.method().equals("DELETE") ? probes : over);
          return HttpReply.text(200, "gone");
        };
    try (HttpServer _ = HttpServer.start(Listener.unix(socket), handler, _ -> {}, 8)) {
      assertThat(send("DELETE", new Vigil.Limits(SHORT, LONG))).isEqualTo("gone");
      assertThatThrownBy(() -> send("GET", new Vigil.Limits(SHORT, Duration.ofMillis(200))))
          .isInstanceOf(SilentServerException.class)
          .hasMessage("no answer to GET /pods for 0 s");
      over.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
