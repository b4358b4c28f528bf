package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerState;
import dev.berth.protocols.nri.CreateContainerRequest;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.ttrpc.TtrpcException;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose runtime is hostile; afterwards it lives, is small, and serves an honest one. */
abstract class Hostility {
  private static final long LARGEST_KILOBYTES = 130_000;
  private static final Duration GIVEN_BACK = Duration.ofSeconds(10);

  static final int LARGEST = 4 << 20;
  static final int ROUNDS = 30;

  @TempDir Path folder;
  ServerSocketChannel server;
  RealAgent agent;
  private long began;

  /** Does something to the agent's connection. */
  interface Deed {
    void to(HostilePeer peer) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    began = System.nanoTime();
    Files.createDirectories(folder.resolve("plugins"));
    Files.writeString(
        folder.resolve("berth.yaml"),
        """
        berth:
          devicePlugins: %s
          podResources: %s
        """
            .formatted(folder.resolve("plugins"), folder.resolve("pods.sock")));
    // It is ready once a runtime has told all that it has.
    try (ModelRuntime first = new ModelRuntime(socket())) {
      CompletableFuture<Void> met = CompletableFuture.runAsync(() -> meet(first));
      agent =
          RealAgent.start(
              folder,
              "--config",
              folder.resolve("berth.yaml").toString(),
              "--runtime",
              "nri",
              "--runtime-socket",
              socket().toString());
      met.join();
    }
    server = HostilePeer.listen(socket());
  }

  private static void meet(ModelRuntime runtime) {
    try {
      runtime.meet();
    } catch (IOException | TtrpcException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Path socket() {
    return folder.resolve("nri.sock");
  }

  @AfterEach
  void livesAndServesAnHonestRuntime() throws Exception {
    try {
      server.close();
      try (ModelRuntime honest = new ModelRuntime(socket())) {
        honest.meet();
        Held held = honest.create(honest.pod("db", "guaranteed"), "app", 1);
        assertThat(held.cpus()).hasToString("1");
        assertThat(agent.container("db", "app").path("cpus").asString()).isEqualTo("1");
      }
      List<String> log = Files.readAllLines(agent.log());
      assertThat(log)
          .hasSizeLessThan(mostLines())
          .noneMatch(line -> line.contains("internal error") || line.startsWith("\tat "))
          .allMatch(line -> line.length() < 5_000);
      System.out.println(
          Figures.Size.of(agent) + ", lines " + log.size() + ", last " + log.getLast());
      awaitSmall();
    } finally {
      agent.close();
    }
  }

  /**
   * The JVM keeps what its compiler needed last for five seconds, and is told to give native memory
   * back every two (scripts/launch.sh): some 6 MB are still on their way.
   */
  private void awaitSmall() throws IOException, InterruptedException {
    long until = System.nanoTime() + GIVEN_BACK.toNanos();
    while (Figures.Size.of(agent).residentKilobytes() >= LARGEST_KILOBYTES
        && System.nanoTime() < until) {
      Thread.sleep(100);
    }
    assertThat(Figures.Size.of(agent).residentKilobytes()).isLessThan(LARGEST_KILOBYTES);
  }

  /** A thousand at once and a hundred a second of events, and what a test makes the agent say. */
  private int mostLines() {
    return 1_100 + 100 * (int) ((System.nanoTime() - began) / 1_000_000_000 + 1);
  }

  /** The agent connects, registers, and this is done to it; then its connection is over. */
  void each(Deed deed) throws IOException {
    try (HostilePeer peer = HostilePeer.accept(server).registered()) {
      deed.to(peer);
    }
  }

  long ended() throws IOException {
    try (var lines = Files.lines(agent.log())) {
      return lines.filter(line -> line.contains(" ended: ")).count();
    }
  }

  void endsWith(Deed deed, String reason) throws IOException {
    each(peer -> {
      deed.to(peer);
      peer.awaitEnd();
    });
    RealAgent.await(
        "the line \"" + reason + "\"", () -> Files.readString(agent.log()).contains(reason));
  }

  static PodSandbox pod(String name) {
    return PodSandbox.newBuilder().setId("s-" + name).setUid("u-" + name).setName(name).build();
  }

  static Container container(PodSandbox pod, String id) {
    return Container.newBuilder()
        .setId(id)
        .setName("app")
        .setPodSandboxId(pod.getId())
        .setState(ContainerState.CONTAINER_RUNNING)
        .build();
  }

  static CreateContainerRequest creation(PodSandbox pod, Container container) {
    return CreateContainerRequest.newBuilder().setPod(pod).setContainer(container).build();
  }

  /** Does something again and again while the connection lasts. */
  static void untilShut(Sending deed) {
    boolean open = true;
    while (open) {
      open = whileOpen(deed);
    }
  }

  /** Does something if the connection lasts; whether it does. */
  static boolean whileOpen(Sending deed) {
    try {
      deed.run();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  interface Sending {
    void run() throws IOException;
  }
}
