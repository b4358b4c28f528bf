package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.berth.guest.GuestRequest;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerState;
import dev.berth.protocols.nri.CreateContainerRequest;
import dev.berth.protocols.nri.HugepageLimit;
import dev.berth.protocols.nri.LinuxCPU;
import dev.berth.protocols.nri.LinuxContainer;
import dev.berth.protocols.nri.LinuxMemory;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.OptionalInt64;
import dev.berth.protocols.nri.OptionalUInt64;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.protocols.nri.StopContainerRequest;
import dev.berth.protocols.nri.SynchronizeRequest;
import dev.berth.protocols.nri.UpdateContainerRequest;
import dev.berth.ttrpc.TtrpcException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a runtime says by NRI: a line in the log, and the agent serves the next one. */
@Tag("slow")
class HostileRuntimeTest {
  private static final long LARGEST_KILOBYTES = 130_000;

  private static final int LARGEST = 4 << 20;
  private static final int ROUNDS = 30;

  @TempDir private Path folder;
  private ServerSocketChannel server;
  private RealAgent agent;
  private long began;

  /** Does something to the agent's connection. */
  private interface Deed {
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
        ModelRuntime.Held held = honest.create(honest.pod("db", "guaranteed"), "app", 1);
        assertThat(held.cpus()).hasToString("1");
        assertThat(agent.container("db", "app").path("cpus").asString()).isEqualTo("1");
      }
      List<String> log = Files.readAllLines(agent.log());
      assertThat(log)
          .hasSizeLessThan(mostLines())
          .noneMatch(line -> line.contains("internal error") || line.startsWith("\tat "))
          .allMatch(line -> line.length() < 5_000);
      Figures.Size size = Figures.Size.of(agent);
      System.out.println(size + ", lines " + log.size() + ", last " + log.getLast());
      assertThat(size.residentKilobytes()).isLessThan(LARGEST_KILOBYTES);
    } finally {
      agent.close();
    }
  }

  /** A thousand at once and a hundred a second, of events and of the agent's own each. */
  private int mostLines() {
    return 2_000 + 200 * (int) ((System.nanoTime() - began) / 1_000_000_000 + 1);
  }

  /** The agent connects, registers, and this is done to it; then its connection is over. */
  private void each(Deed deed) throws IOException {
    try (HostilePeer peer = HostilePeer.accept(server).registered()) {
      deed.to(peer);
    }
  }

  private long ended() throws IOException {
    try (var lines = Files.lines(agent.log())) {
      return lines.filter(line -> line.contains(" ended: ")).count();
    }
  }

  private void endsWith(Deed deed, String reason) throws IOException {
    each(peer -> {
      deed.to(peer);
      peer.awaitEnd();
    });
    RealAgent.await(
        "the line \"" + reason + "\"", () -> Files.readString(agent.log()).contains(reason));
  }

  private static PodSandbox pod(String name) {
    return PodSandbox.newBuilder().setId("s-" + name).setUid("u-" + name).setName(name).build();
  }

  private static Container container(PodSandbox pod, String id) {
    return Container.newBuilder()
        .setId(id)
        .setName("app")
        .setPodSandboxId(pod.getId())
        .setState(ContainerState.CONTAINER_RUNNING)
        .build();
  }

  private static CreateContainerRequest creation(PodSandbox pod, Container container) {
    return CreateContainerRequest.newBuilder().setPod(pod).setContainer(container).build();
  }

  @Test
  void noiseEndsItsConnectionWithOneLine() throws IOException {
    long seed = Long.getLong("berth.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] noise = new byte[1 + random.nextInt(3_000)];
      random.nextBytes(noise);
      boolean inside = round % 3 > 0;
      int lane = round % 3;
      each(peer -> {
        if (inside) {
          peer.send(lane, noise);
        } else {
          peer.raw(noise);
        }
      });
    }
    RealAgent.await("a line for each", () -> ended() >= ROUNDS);
    assertThat(ended()).isBetween((long) ROUNDS, ROUNDS + 1L);
  }

  @Test
  void whatIsTooLongOrForNobodyEndsItsConnection() throws IOException {
    endsWith(
        peer -> peer.raw(ByteBuffer.allocate(8).putInt(1).putInt(LARGEST + 11).array()),
        "frame: expected at most 4194314 bytes, found 4194315");
    endsWith(
        peer -> peer.send(ByteBuffer.allocate(10).putInt(-1).array()),
        "message: expected at most 4194304 bytes, found 4294967295");
    endsWith(
        peer -> {
          for (int lane = 3; lane < 1_000; lane++) {
            int number = lane;
            whileOpen(() -> peer.send(number, new byte[1 << 16]));
          }
        },
        "frame: expected connection 1 or 2, found 3");
    endsWith(
        peer -> peer.send(HostilePeer.message(1, (byte) 1, new byte[] {-1, -1, -1})),
        "request: expected protobuf, found ");
    endsWith(
        peer -> peer.send(HostilePeer.message(1, (byte) 77, new byte[0])),
        "message: expected a request or a response, found type 77");
  }

  @Test
  void whoeverStopsInTheMiddleIsNotWaitedFor() throws IOException {
    endsWith(
        peer -> peer.raw(ByteBuffer.allocate(12).putInt(1).putInt(100).array()),
        "frame: expected the rest of it within 10000 ms");
    endsWith(
        peer -> peer.send(ByteBuffer.allocate(14).putInt(100).putInt(1).array()),
        "message: expected the rest of it within 10000 ms");
    each(peer -> peer.send(ByteBuffer.allocate(14).putInt(100).putInt(1).array()));
  }

  @Test
  void answersToNoQuestionAreNobodysBusiness() throws IOException {
    each(peer -> {
      for (int number = -500; number < 500; number++) {
        peer.answer(number);
      }
      peer.ask("StopContainer", StopContainerRequest.getDefaultInstance());
      assertThat(peer.frame()).isNotEmpty();
    });
  }

  @Test
  void aFloodWaitsWithinBoundsWhetherItsAnswersAreReadOrNot() throws IOException {
    byte[] padding = new byte[LARGEST - 100];
    for (boolean reads : new boolean[] {true, false}) {
      try (HostilePeer peer = HostilePeer.accept(server).registered()) {
        if (reads) {
          peer.readAll();
        }
        for (int i = 0; i < 20_000; i++) {
          PodSandbox pod = pod("flood" + i);
          peer.ask("CreateContainer", creation(pod, container(pod, "c" + i)));
        }
      } catch (IOException e) {
        // It was shut before all of it was sent.
        assertThat(reads).isFalse();
      }
    }
    try (HostilePeer peer = HostilePeer.accept(server).registered()) {
      for (int i = 0; i < 50; i++) {
        peer.send(peer.request("CreateContainer", ByteString.copyFrom(padding)));
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("pipe");
    }
  }

  @Test
  void aListingOfFiveThousandContainersIsTaken() throws IOException {
    each(peer -> {
      long last = 0;
      for (int chunk = 0; chunk < 50; chunk++) {
        SynchronizeRequest.Builder some = SynchronizeRequest.newBuilder().setMore(chunk < 49);
        for (int i = 0; i < 100; i++) {
          PodSandbox pod = pod("many" + chunk + "-" + i);
          some.addPods(pod.toBuilder().putAnnotations("other", "x".repeat(10_000)))
              .addContainers(container(pod, "c" + chunk + "-" + i));
        }
        last = System.nanoTime();
        peer.ask("Synchronize", some.build());
        peer.frame();
      }
      System.out.printf(
          "5000 containers: %d ms for the last answer%n", (System.nanoTime() - last) / 1_000_000);
    });
  }

  @Test
  void aListingWithoutEndIsNotTaken() throws IOException {
    endsWith(
        peer -> {
          PodSandbox pod = pod("endless");
          SynchronizeRequest.Builder chunk = SynchronizeRequest.newBuilder().setMore(true);
          for (int i = 0; i < 1_000; i++) {
            chunk.addContainers(container(pod, "c".repeat(200) + i));
          }
          untilShut(() -> chunkAnswered(peer, chunk.build()));
        },
        "Synchronize: expected at most 12000 pods and containers, found more");
    endsWith(
        peer -> {
          SynchronizeRequest.Builder chunk = SynchronizeRequest.newBuilder().setMore(true);
          chunk.addContainers(container(pod("long"), "c".repeat(1 << 20)));
          untilShut(() -> chunkAnswered(peer, chunk.build()));
        },
        "Synchronize: expected at most 4194304 bytes in all, found more");
    endsWith(
        peer -> {
          SynchronizeRequest chunk = SynchronizeRequest.newBuilder().setMore(true).build();
          untilShut(() -> chunkAnswered(peer, chunk));
        },
        "Synchronize: expected at most 12000 parts, found more");
  }

  private static void chunkAnswered(HostilePeer peer, SynchronizeRequest chunk) throws IOException {
    peer.ask("Synchronize", chunk);
    peer.frame();
  }

  /** Does something again and again while the connection lasts. */
  private static void untilShut(Sending deed) {
    boolean open = true;
    while (open) {
      open = whileOpen(deed);
    }
  }

  /** Does something if the connection lasts; whether it does. */
  private static boolean whileOpen(Sending deed) {
    try {
      deed.run();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private interface Sending {
    void run() throws IOException;
  }

  @Test
  void aSmallMessageOfAMillionPartsIsRefused() throws IOException {
    byte[] empty = new byte[LARGEST - 200];
    for (int i = 0; i < empty.length; i += 2) {
      empty[i] = 2 << 3 | 2;
    }
    ByteString bomb = ByteString.copyFrom(empty);
    each(peer -> {
      for (String method : List.of("Synchronize", "CreateContainer", "StopContainer")) {
        peer.send(peer.request(method, bomb));
        assertThat(new String(peer.frame(), java.nio.charset.StandardCharsets.UTF_8))
            .contains(method.equals("Synchronize") ? "more than 100000 parts" : "parts");
      }
    });
  }

  @Test
  void namesAndNumbersOfAnyKindAreAnsweredOneByOne() throws IOException {
    List<String> names =
        List.of(
            "..", ".", "a/b", "../../etc", "\0", "a\nb", "", "x".repeat(1 << 18), "\u202e", "…");
    List<Long> numbers = List.of(0L, -1L, 1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40);
    each(peer -> {
      for (String name : names) {
        PodSandbox pod =
            pod("fine").toBuilder().setUid(name).setName(name).setNamespace(name).build();
        asked(peer, pod, container(pod, name).toBuilder().setName(name).build());
        asked(peer, pod("fine"), container(pod("fine"), name));
      }
      for (long quota : numbers) {
        for (long period : numbers) {
          asked(peer, pod("n"), withNumbers(container(pod("n"), "n"), quota, period));
        }
      }
      for (String value :
          List.of("x".repeat(1 << 19), "cpu=-1", "cpu=1e99", "a=1,,b=", "=", "☃=1")) {
        PodSandbox pod =
            pod("noted").toBuilder()
                .putAnnotations(GuestRequest.ANNOTATION + "app", value)
                .putAnnotations("other", "x".repeat(1 << 20))
                .build();
        asked(peer, pod, container(pod, "noted"));
      }
    });
  }

  private static Container withNumbers(Container container, long quota, long period) {
    LinuxCPU.Builder cpu =
        LinuxCPU.newBuilder()
            .setShares(OptionalUInt64.newBuilder().setValue(quota))
            .setQuota(OptionalInt64.newBuilder().setValue(quota))
            .setPeriod(OptionalUInt64.newBuilder().setValue(period))
            .setCpus("0-" + quota)
            .setMems("x");
    return container.toBuilder()
        .setPid(Integer.MAX_VALUE)
        .setLinux(
            LinuxContainer.newBuilder()
                .setResources(
                    LinuxResources.newBuilder()
                        .setCpu(cpu)
                        .setMemory(
                            LinuxMemory.newBuilder()
                                .setLimit(OptionalInt64.newBuilder().setValue(period)))
                        .addHugepageLimits(
                            HugepageLimit.newBuilder().setPageSize("2MB").setLimit(quota))))
        .build();
  }

  /** Everything that can be asked about a container, in no order at all; each has its answer. */
  private static void asked(HostilePeer peer, PodSandbox pod, Container container)
      throws IOException {
    StopContainerRequest parts =
        StopContainerRequest.newBuilder().setPod(pod).setContainer(container).build();
    peer.ask("RemoveContainer", parts);
    peer.frame();
    peer.ask("CreateContainer", creation(pod, container));
    peer.frame();
    peer.ask("PostStartContainer", parts);
    peer.frame();
    peer.ask(
        "UpdateContainer",
        UpdateContainerRequest.newBuilder()
            .setPod(pod)
            .setContainer(container)
            .setLinuxResources(container.getLinux().getResources())
            .build());
    peer.frame();
    peer.ask("StopContainer", parts);
    peer.frame();
    peer.ask("StopPodSandbox", parts);
    peer.frame();
    peer.ask(
        "Synchronize",
        SynchronizeRequest.newBuilder()
            .addPods(pod)
            .addPods(pod)
            .addContainers(container)
            .addContainers(container.toBuilder().setName("twin"))
            .addContainers(container)
            .build());
    peer.frame();
    peer.ask("RemovePodSandbox", parts);
    peer.frame();
  }

  @Test
  void theOtherSocketsOfTheAgentTakeNoiseTheSameWay() throws Exception {
    Random random = new Random(20261116);
    for (Path other :
        List.of(folder.resolve("pods.sock"), folder.resolve("plugins/kubelet.sock"))) {
      RealAgent.await("the socket " + other, () -> Files.exists(other));
      for (int round = 0; round < ROUNDS; round++) {
        byte[] noise = new byte[1 + random.nextInt(3_000)];
        random.nextBytes(noise);
        try (SocketChannel stranger = SocketChannel.open(UnixDomainSocketAddress.of(other))) {
          stranger.write(ByteBuffer.wrap(noise));
        }
      }
    }
    assertThat(agent.ask("GET", "/healthz", "")).isEqualTo("ok\n");
  }
}
