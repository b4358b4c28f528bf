package dev.berth.rpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.protocols.podresources.AllocatableResourcesRequest;
import dev.berth.protocols.podresources.AllocatableResourcesResponse;
import dev.berth.protocols.podresources.GetPodResourcesRequest;
import dev.berth.protocols.podresources.GetPodResourcesResponse;
import dev.berth.protocols.podresources.ListPodResourcesRequest;
import dev.berth.protocols.podresources.ListPodResourcesResponse;
import dev.berth.protocols.podresources.PodResources;
import dev.berth.protocols.podresources.PodResourcesListerGrpc;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both ends of a socket, and what comes over it that nobody wants. */
class RpcTest {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  @TempDir private Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final CountDownLatch hung = new CountDownLatch(1);
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
    hung.countDown();
  }

  /** Answers with what was asked, or not at all. */
  private final class Echo extends PodResourcesListerGrpc.PodResourcesListerImplBase {
    @Override
    public void get(
        GetPodResourcesRequest request, StreamObserver<GetPodResourcesResponse> answer) {
      PodResources pod = PodResources.newBuilder().setName(request.getPodName()).build();
      answer.onNext(GetPodResourcesResponse.newBuilder().setPodResources(pod).build());
      answer.onCompleted();
    }

    @Override
    public void list(
        ListPodResourcesRequest request, StreamObserver<ListPodResourcesResponse> answer) {
      try {
        hung.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private String ask(String name) {
    try (RpcClient client = RpcClient.of(socket)) {
      return ask(client, name);
    }
  }

  private static String ask(RpcClient client, String name) {
    return PodResourcesListerGrpc.newBlockingStub(client.channel())
        .withDeadlineAfter(Duration.ofSeconds(20))
        .get(GetPodResourcesRequest.newBuilder().setPodName(name).build())
        .getPodResources()
        .getName();
  }

  @Test
  void aCallIsAnswered() {
    assertThat(ask("web")).isEqualTo("web");
    assertThat(log).isEmpty();
  }

  @Test
  void onlyTheOwnerMayConnectAndNothingElseIsLeftInTheFolder() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
        .isEqualTo("rw-------");
    assertThat(names()).containsExactly("s.sock");
    server.close();
    assertThat(names()).isEmpty();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aClientFindsTheServerAgainAfterItsRestart() throws IOException {
    try (RpcClient client = RpcClient.of(socket)) {
      assertThat(ask(client, "before")).isEqualTo("before");
      server.close();
      assertThatThrownBy(() -> ask(client, "between")).isInstanceOf(StatusRuntimeException.class);
      server = RpcServer.start(socket, log::add, List.of(new Echo()));
      assertThat(
              PodResourcesListerGrpc.newBlockingStub(client.channel())
                  .withWaitForReady()
                  .withDeadlineAfter(Duration.ofSeconds(20))
                  .get(GetPodResourcesRequest.newBuilder().setPodName("after").build())
                  .getPodResources()
                  .getName())
          .isEqualTo("after");
    }
  }

  @Test
  void theSocketOfAnEarlierServerMakesWay() throws IOException {
    try (RpcServer second = RpcServer.start(socket, log::add, List.of(new Echo()))) {
      assertThat(second).isNotNull();
      assertThat(ask("web")).isEqualTo("web");
    }
  }

  @Test
  void aServiceThatHangsKeepsNobodyFromClosing() throws Exception {
    try (RpcClient client = RpcClient.of(socket)) {
      var answer =
          PodResourcesListerGrpc.newFutureStub(client.channel())
              .list(ListPodResourcesRequest.getDefaultInstance());
      assertThat(ask(client, "beside it")).isEqualTo("beside it");
      server.close();
      assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StatusRuntimeException.class);
    }
  }

  @Test
  void whereNobodyCanListenIsSaid() {
    assertThatThrownBy(() -> RpcServer.start(folder.resolve("no/s.sock"), List.of(new Echo())))
        .isInstanceOf(IOException.class);
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
    assertThat(ask("web")).isEqualTo("web");
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
    assertThat(ask("web")).isEqualTo("web");
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
      assertThat(ask("web")).isEqualTo("web");
    }
    assertThat(log)
        .containsExactly(
            other + ": connection ended: expected a greeting of 24 bytes within 1 s, found 1");
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
    assertThatThrownBy(() -> ask("x".repeat(5 << 20))).isInstanceOf(StatusRuntimeException.class);
    assertThat(log)
        .singleElement()
        .asString()
        .contains("call of v1.PodResourcesLister/Get failed: RESOURCE_EXHAUSTED");
    assertThat(ask("web")).isEqualTo("web");
  }

  @Test
  void aCallThatTheServiceDoesNotHaveIsUnimplemented() {
    try (RpcClient client = RpcClient.of(socket)) {
      assertThatThrownBy(() ->
              PodResourcesListerGrpc.newBlockingStub(client.channel())
                  .getAllocatableResources(AllocatableResourcesRequest.getDefaultInstance()))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageStartingWith("UNIMPLEMENTED");
    }
    assertThat(AllocatableResourcesResponse.getDefaultInstance().getCpuIdsCount()).isZero();
  }

  @Test
  void callsThatComeTooFastAreTurnedAway() throws IOException {
    Path other = folder.resolve("limited.sock");
    try (RpcServer limited =
            RpcServer.start(other, log::add, List.of(new Echo()), new RateLimit(1e-9, 2));
        RpcClient client = RpcClient.of(other)) {
      assertThat(limited).isNotNull();
      assertThat(ask(client, "one")).isEqualTo("one");
      assertThat(ask(client, "two")).isEqualTo("two");
      assertThatThrownBy(() -> ask(client, "three"))
          .hasMessage("RESOURCE_EXHAUSTED: rejected by rate limit");
    }
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
      ask("web");
      server.close();
    } finally {
      System.setErr(before);
    }
    assertThat(bytes.toString(US_ASCII)).isEmpty();
  }
}
