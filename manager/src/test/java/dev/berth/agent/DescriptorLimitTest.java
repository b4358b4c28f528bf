package dev.berth.agent;

import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.Descriptors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An agent with few file descriptors, and clients that would take them all. */
class DescriptorLimitTest {
  private static final Pattern PORT = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");
  private static final int CLIENTS = 60;
  private static final int SPARE = 12;

  @TempDir private Path folder;

  @Test
  void connectionsLeaveHalfOfTheDescriptorsToTheAgent() {
    assertThat(ConnectionLimits.of(new Descriptors(64, 48))).isEqualTo(new ConnectionLimits(4, 4));
    assertThat(ConnectionLimits.of(new Descriptors(524_288, 48)))
        .isEqualTo(new ConnectionLimits(256, 256));
    assertThatThrownBy(() -> ConnectionLimits.of(new Descriptors(50, 48)))
        .hasMessage(
            "file descriptors: expected a limit of at least 56 (LimitNOFILE= in the unit, ulimit"
                + " -n), found 50");
  }

  @Test
  void theLimitIsTheKernels() throws IOException {
    Descriptors now = Descriptors.now();
    assertThat(now.open()).isPositive().isLessThan(now.most());
    assertThat(now.free()).isEqualTo(now.most() - now.open());
  }

  @Tag("slow")
  @Test
  void anAgentWithFewDescriptorsOutlivesClientsThatTakeThem() throws IOException {
    assumeTrue(Files.exists(Path.of("/usr/bin/prlimit")), "without prlimit");
    long idle;
    try (RealAgent agent = start(4_096)) {
      // All that it answers with is loaded by then, from the tests' own folders class by class.
      works(agent, "before");
      idle = Figures.Size.of(agent).descriptors();
    }
    try (RealAgent agent = start(idle + SPARE)) {
      RealAgent.await("its port", () -> Files.readString(agent.log()).contains("ready: "));
      Matcher port = PORT.matcher(Files.readString(agent.log()));
      assertThat(port.find()).isTrue();
      List<SocketChannel> idlers = new ArrayList<>();
      try {
        for (int i = 0; i < CLIENTS; i++) {
          SocketAddress address =
              i % 2 == 0
                  ? new InetSocketAddress(
                      InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)))
                  : UnixDomainSocketAddress.of(agent.socket());
          SocketChannel idler = SocketChannel.open(address);
          idlers.add(idler);
          idler.write(ByteBuffer.wrap("GET / HT".getBytes(StandardCharsets.US_ASCII)));
        }
        works(agent, "beside");
      } finally {
        for (SocketChannel idler : idlers) {
          idler.close();
        }
      }
      works(agent, "after");
      assertThat(Files.readString(agent.log()))
          .containsPattern("limit of file descriptors leaves room for [2-5] connections")
          .doesNotContain("Exception", "Error");
    }
  }

  private RealAgent start(long descriptors) throws IOException {
    return RealAgent.startBehind(
        Files.createTempDirectory(folder, "agent"),
        List.of("prlimit", "--nofile=" + descriptors, "--"),
        "--machine",
        "epyc-7702p");
  }

  private static void works(RealAgent agent, String name) throws IOException {
    JsonNode applied = agent.apply(pod(name, guaranteed(2), "x")).path(0);
    assertThat(applied.path("outcome").asString()).as(applied.toString()).isEqualTo("admitted");
    assertThat(agent.ask("POST", "/explain", pod("large", guaranteed(500), "x")))
        .contains("\"decision\":\"refused\"");
    assertThat(agent.ask("GET", "/metrics", "")).contains("berth_ready 1");
    assertThat(agent.isReady()).isTrue();
  }
}
