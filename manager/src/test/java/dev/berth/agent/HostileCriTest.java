package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever bytes stand where a runtime should speak CRI: a line, and the agent goes on. */
@Tag("slow")
class HostileCriTest {
  /** HTTP/2: an empty frame of settings, with which a server greets. */
  private static final byte[] GREETING = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  @TempDir private Path folder;

  /** What it says to each who connects. */
  private interface Speech {
    void to(SocketChannel client) throws IOException, InterruptedException;
  }

  private Path socket() {
    return folder.resolve("cri.sock");
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("agent.log"));
  }

  /** Speaks to whoever connects until the agent has complained of it. */
  private void meets(RealAgent agent, Speech speech, String complaint) throws IOException {
    int before = log().length();
    List<SocketChannel> held = new CopyOnWriteArrayList<>();
    Files.deleteIfExists(socket());
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket()));
      Thread.startVirtualThread(() -> speaks(server, held, speech));
      RealAgent.await(
          "a line with \"" + complaint + "\"",
          () -> log().substring(before).lines().anyMatch(line -> line.contains(complaint)));
      assertThat(held).isNotEmpty();
      assertThat(agent.isReady()).isFalse();
      assertThat(agent.ask("GET", "/healthz", "")).isEqualTo("ok\n");
    } finally {
      for (SocketChannel channel : held) {
        channel.close();
      }
    }
  }

  private static void speaks(ServerSocketChannel server, List<SocketChannel> held, Speech speech) {
    boolean open = true;
    while (open) {
      open = speaksToOne(server, held, speech);
    }
  }

  /** Whether another may come: the end of one client is not the end of the test. */
  private static boolean speaksToOne(
      ServerSocketChannel server, List<SocketChannel> held, Speech speech) {
    try {
      SocketChannel client = server.accept();
      held.add(client);
      speech.to(client);
      return true;
    } catch (IOException e) {
      return server.isOpen();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void say(SocketChannel client, byte... bytes) throws IOException {
    client.write(ByteBuffer.wrap(bytes));
  }

  @Test
  void anAgentOutlivesWhateverSpeaksInTheRuntimesPlace() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    byte[] noise = new byte[10_000];
    new Random(seed).nextBytes(noise);
    // No noise may begin as settings do.
    noise[3] = 77;
    ModelCri runtime = new ModelCri(socket(), true);
    runtime.serve();
    try (runtime;
        RealAgent agent =
            RealAgent.start(folder, "--runtime", "cri", "--runtime-socket", socket().toString())) {
      runtime.close();
      RealAgent.await("the agent to notice", () -> !agent.isReady());
      meets(agent, client -> say(client, noise), "First received frame was not SETTINGS");
      meets(
          agent,
          client -> {
            say(client, (byte) 0, (byte) 0, (byte) 6, (byte) 4, (byte) 0);
            client.shutdownOutput();
          },
          "UNAVAILABLE: Network closed");
      meets(
          agent,
          client -> {
            say(client, GREETING);
            say(client, (byte) -1, (byte) -1, (byte) -1, (byte) 0, (byte) 0, (byte) 0);
            say(client, new byte[100]);
          },
          "Frame length: 16777215 exceeds maximum");
      meets(
          agent,
          client -> {
            for (byte one : GREETING) {
              say(client, one);
              Thread.sleep(100);
            }
          },
          "DEADLINE_EXCEEDED: no answer in time");
      String owner = runtime.create("db", "guaranteed", "app", 1);
      runtime.start(owner);
      runtime.serve();
      RealAgent.await("the agent to be ready", agent::isReady);
      RealAgent.await(
          "the owner to be moved",
          () -> runtime.held(owner).resources().getCpusetCpus().equals("1"));
      assertThat(agent.container("db", "app").path("cpus").asString()).isEqualTo("1");
      assertThat(log().lines())
          .noneMatch(line -> line.contains("internal error") || line.startsWith("\tat "))
          .allMatch(line -> line.length() < 5_000);
    }
  }
}
