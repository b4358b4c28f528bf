package dev.berth.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpServerTest {
  @TempDir private Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private Path socket;

  @BeforeEach
  void start() throws IOException {
    socket = folder.resolve("s.sock");
    server =
        HttpServer.start(
            Listener.unix(socket),
            HttpServerTest::echo,
            log::add,
            4,
            new Patience(Duration.ofMillis(300), Duration.ofDays(1)));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static HttpReply echo(HttpRequest request) {
    return switch (request.path()) {
      case "/stream" ->
          new HttpReply.Streamed(
              200,
              HttpReply.TEXT,
              out -> {
                for (int i = 0; i < 3; i++) {
                  out.write(("line " + i + "\n").getBytes(UTF_8));
                  out.flush();
                }
              });
      case "/large" -> HttpReply.text(200, "x".repeat(16 << 20));
      case "/fault" -> throw new IllegalStateException("on purpose");
      default ->
          HttpReply.text(
              200,
              request.method()
                  + " "
                  + request.path()
                  + " "
                  + new TreeMap<>(request.query())
                  + request.body());
    };
  }

  private String send(String method, String target, String body) throws IOException {
    try (HttpExchange exchange = HttpExchange.send(socket, method, target, body)) {
      return exchange.status() + " " + exchange.text();
    }
  }

  /** Sends bytes as they are and reads all that comes back. */
  private String raw(byte[] bytes) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.wrap(bytes));
      channel.shutdownOutput();
      return read(channel);
    }
  }

  private static String read(SocketChannel channel) throws IOException {
    InputStream in = Channels.newInputStream(channel);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (IOException e) {
      all.writeBytes(String.valueOf(e.getMessage()).getBytes(UTF_8));
    }
    return all.toString(UTF_8);
  }

  @Test
  void answersOnAUnixSocket() throws IOException {
    assertThat(send("GET", "/a%20b?x=1%262&y", "")).isEqualTo("200 GET /a b {x=1&2, y=}");
    assertThat(send("POST", "/pods", "kind: Pod ☃")).isEqualTo("200 POST /pods {}kind: Pod ☃");
    assertThat(send("GET", "/stream", "")).isEqualTo("200 line 0\nline 1\nline 2\n");
  }

  @Test
  void theSocketIsItsOwnersAlone() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-------");
    server.close();
    assertThat(socket).doesNotExist();
    assertThatThrownBy(() -> send("GET", "/", "")).isInstanceOf(IOException.class);
  }

  @Test
  void answersOnAPort() throws IOException, InterruptedException {
    Listener listener = Listener.port("127.0.0.1", 0);
    try (HttpServer onPort = HttpServer.start(listener, HttpServerTest::echo, log::add, 4);
        var client = java.net.http.HttpClient.newHttpClient()) {
      var request =
          java.net.http.HttpRequest.newBuilder(
                  java.net.URI.create("http://" + listener.name() + "/metrics"))
              .build();
      assertThat(client.send(request, java.net.http.HttpResponse.BodyHandlers.ofString()).body())
          .isEqualTo("GET /metrics {}");
      assertThat(onPort).isNotNull();
    }
  }

  @Test
  void whereItCannotListenIsOneLine() throws IOException {
    try (Listener taken = Listener.port("127.0.0.1", 0)) {
      int port = Integer.parseInt(taken.name().replaceAll(".*:", ""));
      assertThatThrownBy(() -> Listener.port("127.0.0.1", port))
          .hasMessage(
              "address 127.0.0.1:"
                  + port
                  + ": expected one that is free here, found Address already"
                  + " in use");
    }
    Path deep = folder.resolve("x".repeat(100));
    assertThatThrownBy(() -> Listener.unix(deep))
        .hasMessageContaining("expected at most 100 bytes, found");
  }

  @Test
  void aFaultOfTheHandlerIsItsOwnAnswerAlone() throws IOException {
    assertThat(send("GET", "/fault", "")).startsWith("500 internal error: ").contains("on purpose");
    assertThat(log).anySatisfy(line -> assertThat(line).contains("GET /fault").contains("purpose"));
    assertThat(send("GET", "/", "")).isEqualTo("200 GET / {}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hello                                  | 400 | expected a whole one, found the end
          hello world\\n                          | 400 | expected METHOD PATH HTTP/1.1
          PUT / HTTP/1.1\\n\\n                     | 405 | expected GET, POST or DELETE, found PUT
          GET nowhere HTTP/1.1\\n\\n               | 400 | expected a path from / on
          GET /%zz HTTP/1.1\\n\\n                  | 400 | expected %XX
          GET / HTTP/1.1\\nnothing\\n\\n            | 400 | header: expected NAME: VALUE
          POST / HTTP/1.1\\nContent-Length: x\\n\\n | 400 | expected a number, found "x"
          POST / HTTP/1.1\\nContent-Length: 5\\n\\nab | 400 | expected 5 bytes, found 2
          POST / HTTP/1.1\\nContent-Length: 99999999999\\n\\n | 413 | at most
          POST / HTTP/1.1\\nTransfer-Encoding: chunked\\n\\n | 411 | expected Content-Length
          """)
  void whatIsGarbledIsRefusedInALine(String request, int status, String words) throws IOException {
    String answer = raw(request.replace("\\n", "\r\n").getBytes(UTF_8));
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains(words);
    assertThat(log).anySatisfy(line -> assertThat(line).contains(words));
    assertThat(send("GET", "/", "")).isEqualTo("200 GET / {}");
  }

  @Test
  void aHeadWithoutEndIsCut() throws IOException {
    byte[] head = ("GET / HTTP/1.1\r\nX: " + "x".repeat(RequestReader.HEAD_LIMIT)).getBytes(UTF_8);
    assertThat(raw(head)).contains(" 431 ");
  }

  @Test
  void oneWhoIsSlowIsShutOut() throws IOException {
    try (SocketChannel slow = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      slow.write(ByteBuffer.wrap("GET / HT".getBytes(UTF_8)));
      assertThat(read(slow)).isEmpty();
    }
    assertThat(send("GET", "/", "")).isEqualTo("200 GET / {}");
    // The line is written beside the end that the client sees.
    await(() -> !log.isEmpty());
    assertThat(log)
        .containsExactly(
            socket
                + ": connection ended: shut from here: its client took too long, or the server"
                + " ends");
  }

  private SocketChannel begun(Listener listener, String request) throws IOException {
    int port = Integer.parseInt(listener.name().replaceAll(".*:", ""));
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.write(ByteBuffer.wrap(request.getBytes(UTF_8)));
    return channel;
  }

  @Test
  void slowClientsMakeWayForOthers() throws IOException {
    Listener listener = Listener.port("127.0.0.1", 0);
    List<SocketChannel> slow = new ArrayList<>();
    Patience patience = new Patience(Duration.ofHours(1), Duration.ofHours(1));
    try (HttpServer _ = HttpServer.start(listener, HttpServerTest::echo, log::add, 4, patience)) {
      for (int i = 0; i < 4; i++) {
        slow.add(begun(listener, "GET /large HTTP/1.1\r\n" + (i < 2 ? "\r\n" : "")));
      }
      for (int i = 0; i < 20; i++) {
        try (SocketChannel quick = begun(listener, "GET / HTTP/1.1\r\n\r\n")) {
          assertThat(read(quick)).startsWith("HTTP/1.1 200 ").endsWith("GET / {}");
        }
      }
    } finally {
      for (SocketChannel channel : slow) {
        channel.close();
      }
    }
  }

  @Test
  void aReaderWhoReadsNothingIsShutOut() throws IOException {
    Listener listener = Listener.port("127.0.0.1", 0);
    Patience patience = new Patience(Duration.ofHours(1), Duration.ofMillis(300));
    try (HttpServer _ = HttpServer.start(listener, HttpServerTest::echo, log::add, 4, patience);
        SocketChannel slow = begun(listener, "GET /large HTTP/1.1\r\n\r\n")) {
      await(() -> log.stream().anyMatch(line -> line.contains("its client took too long")));
      assertThat(read(slow).length()).isLessThan(16 << 20);
    }
  }

  private static void await(BooleanSupplier condition) {
    long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(until);
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Test
  void noiseEndsItsConnectionAndNothingElse() throws IOException {
    long seed = 20261116;
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      assertThat(raw(noise)).as("seed %d, round %d", seed, i).doesNotContain(" 200 ");
    }
    assertThat(send("GET", "/", "")).isEqualTo("200 GET / {}");
  }
}
