package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.HttpExchange;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is sent to the agent: one line back, and the agent lives. */
@Tag("slow")
class HostileTest {
  private static final int MUTATIONS = Integer.getInteger("berth.steps", 10_000);
  private static final long LARGEST_KILOBYTES = 130_000;

  @TempDir private Path folder;
  private RealAgent agent;
  private Set<String> around;

  @BeforeEach
  void start() throws IOException {
    agent = RealAgent.start(folder, "--machine", "epyc-7702p");
    around = around();
  }

  @AfterEach
  void livesAndHasTouchedNothingElse() throws IOException {
    try {
      assertThat(agent.ask("GET", "/healthz", "")).isEqualTo("ok\n");
      assertThat(around()).isEqualTo(around);
      assertThat(Figures.Size.of(agent).residentKilobytes()).isLessThan(LARGEST_KILOBYTES);
    } finally {
      agent.close();
    }
  }

  /** What lies around the folders of the agent. */
  private Set<String> around() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path place : List.of(folder, folder.toAbsolutePath().getRoot(), Path.of("/run/berth"))) {
      if (Files.isDirectory(place)) {
        try (Stream<Path> files = Files.list(place)) {
          files.forEach(file -> names.add(file.toString()));
        }
      }
    }
    names.addAll(agent.groups().stream().map(Path::toString).toList());
    return names;
  }

  private int send(String method, String target, String body) throws IOException {
    try (HttpExchange exchange = HttpExchange.send(agent.socket(), method, target, body)) {
      String text = exchange.text();
      if (exchange.status() >= 400) {
        assertThat(text.strip()).as(method + " " + target).isNotEmpty().hasLineCount(1);
        assertThat(text).doesNotContain("internal error").hasSizeLessThan(2_000);
      }
      return exchange.status();
    }
  }

  @Test
  void randomBytesAreRefused() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      byte[] bytes = new byte[1 + random.nextInt(400)];
      random.nextBytes(bytes);
      try (SocketChannel connection =
          SocketChannel.open(UnixDomainSocketAddress.of(agent.socket()))) {
        connection.write(ByteBuffer.wrap(bytes));
        connection.shutdownOutput();
        ByteBuffer answer = ByteBuffer.allocate(4_096);
        connection.read(answer);
        String text = new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
        assertThat(text).startsWith("HTTP/1.1 4");
      }
    }
  }

  @Test
  void namesOfOtherPlacesAreRefused() throws IOException {
    for (String name :
        List.of("..", "../../etc", "%2e%2e%2f%2e%2e%2fetc", "a/../b", "%00", "~", "-rf", ".")) {
      assertThat(send("DELETE", "/pods/" + name, "")).isEqualTo(404);
      assertThat(send("GET", "/log/" + name + "/app", "")).isEqualTo(404);
      assertThat(send("GET", "/explain/" + name, "")).isEqualTo(404);
      for (String field :
          List.of("{name: \"%s\"}", "{name: a, uid: \"%s\"}", "{name: a, namespace: \"%s\"}")) {
        String yaml = RealAgent.pod("x", "{}", "true").replace("{name: x}", field.formatted(name));
        assertThat(send("POST", "/pods", yaml)).as(yaml).isEqualTo(400);
      }
    }
  }

  @Test
  void deepAndHugeDocumentsAreRefused() throws IOException {
    assertThat(send("POST", "/pods", "[".repeat(200_000))).isEqualTo(400);
    assertThat(send("POST", "/pods", "{a: ".repeat(200_000))).isEqualTo(400);
    assertThat(send("POST", "/pods", "- ".repeat(200_000))).isEqualTo(400);
    assertThat(send("POST", "/run", "[".repeat(200_000))).isEqualTo(400);
    assertThat(send("POST", "/explain", "[".repeat(100_000))).isEqualTo(400);
    assertThat(send("POST", "/explain", "[".repeat(200_000))).isEqualTo(413);
    assertThat(send("POST", "/pods", "a: &a [*a, *a]")).isEqualTo(400);
    String bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n";
    StringBuilder laughs = new StringBuilder(bomb);
    for (char c = 'b'; c < 'j'; c++) {
      String before = "*" + (char) (c - 1);
      laughs.append(
          c
              + ": &"
              + c
              + " ["
              + String.join(
                  ",", List.of(before, before, before, before, before, before, before, before))
              + "]\n");
    }
    assertThat(send("POST", "/pods", laughs.toString())).isEqualTo(400);
    for (int i = 0; i < 4; i++) {
      assertThat(send("POST", "/pods", "a: [" + "x, ".repeat(300_000) + "x]")).isBetween(400, 499);
    }
  }

  @Test
  void manyLargeBodiesAtATimeAreRefused() throws Exception {
    String body = "a: [" + "x, ".repeat(300_000) + "x]";
    List<Thread> threads = new ArrayList<>();
    java.util.Queue<Integer> answers = new java.util.concurrent.ConcurrentLinkedQueue<>();
    for (int i = 0; i < 24; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  answers.add(send("POST", "/pods", body));
                } catch (IOException e) {
                  answers.add(0);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    // One that is refused before it has sent its body may not hear why.
    assertThat(answers).hasSize(24).contains(400).isSubsetOf(400, 503, 0);
    assertThat(send("POST", "/pods", "x".repeat(2 << 20))).isEqualTo(413);
  }

  @Test
  void manyConnectionsAreShutAndTheNextIsAnswered() throws Exception {
    List<SocketChannel> open = new ArrayList<>();
    try {
      for (int i = 0; i < 2_000; i++) {
        SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(agent.socket()));
        connection.write(
            ByteBuffer.wrap(
                "POST /pods HTTP/1.1\r\nContent-Length: 900\r\n\r\nx"
                    .getBytes(StandardCharsets.US_ASCII)));
        open.add(connection);
      }
    } catch (IOException e) {
      // Shut before all of it was written.
      assertThat(open).hasSizeGreaterThan(100);
    }
    for (SocketChannel connection : open) {
      connection.close();
    }
    RealAgent.await("an answer", agent::isReady);
  }

  @Test
  void tenThousandMutatedPodsAreAnsweredOneByOne() throws IOException {
    long seed = Long.getLong("berth.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int in = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      String yaml = Mutations.of(random, i);
      in += send("POST", "/pods", yaml) == 200 ? 1 : 0;
    }
    System.out.printf("%d of %d could be read; %s%n", in, MUTATIONS, Figures.Size.of(agent));
    assertThat(in).isBetween(1, MUTATIONS - 1);
  }
}
