package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.protocols.cri.Container;
import dev.berth.protocols.cri.ContainerEventResponse;
import dev.berth.protocols.cri.ContainerEventType;
import dev.berth.protocols.cri.ContainerResources;
import dev.berth.protocols.cri.ContainerStatus;
import dev.berth.protocols.cri.ContainerStatusResponse;
import dev.berth.protocols.cri.HugepageLimit;
import dev.berth.protocols.cri.LinuxContainerResources;
import dev.berth.protocols.cri.PodSandboxStatus;
import dev.berth.protocols.cri.PodSandboxStatusResponse;
import dev.berth.rpc.RpcServer;
import dev.berth.runtime.Waiting;
import io.grpc.Status;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What real runtimes do seldom or never: other formats, nonsense, silence. */
class CriClientTest {
  private final FakeRuntime runtime = new FakeRuntime();
  private final Path socket;
  private final RpcServer server;
  private final CriClient client;

  CriClientTest(@TempDir Path folder) throws IOException {
    socket = folder.resolve("cri.sock");
    server = RpcServer.start(socket, List.of(runtime));
    client = CriClient.of(socket, Duration.ofSeconds(5));
  }

  @AfterEach
  void end() throws IOException {
    client.close();
    server.close();
  }

  private static void isOneLine(ThrowingCallable question, String... words) {
    assertThatThrownBy(question)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("CRI ")
        .hasMessageContainingAll(words)
        .hasMessageNotContaining("\n");
  }

  private void tells(String info) {
    runtime.container =
        ContainerStatusResponse.newBuilder()
            .setStatus(ContainerStatus.newBuilder().setId("c1"))
            .putInfo("info", info)
            .build();
  }

  @Test
  void resourcesComeFromTheStatusBeforeTheSpecification() throws IOException {
    tells(
        """
        {"runtimeSpec":{"linux":{"resources":{
          "cpu":{"cpus":"0-1","quota":-1},
          "hugepageLimits":[{"pageSize":"2MB","limit":4194304},{"pageSize":"1GB","limit":0}]}}}}
        """);
    CriResources specified =
        client.container("c1").flatMap(ContainerDetail::resources).orElseThrow();
    assertThat(specified.cpus()).hasValue(CpuSet.of(0, 1));
    assertThat(specified.quota()).isEqualTo(OptionalLong.of(CriResources.UNLIMITED));
    assertThat(specified.shares()).isEmpty();
    assertThat(specified.hugepages()).isEqualTo(Map.of("2MB", 4L << 20, "1GB", 0L));

    runtime.container =
        runtime.container.toBuilder()
            .setStatus(
                ContainerStatus.newBuilder()
                    .setId("c1")
                    .setResources(
                        ContainerResources.newBuilder()
                            .setLinux(
                                LinuxContainerResources.newBuilder()
                                    .setCpusetCpus("5")
                                    .addHugepageLimits(
                                        HugepageLimit.newBuilder()
                                            .setPageSize("2MB")
                                            .setLimit(2 << 20))
                                    .setCpusetMems("1"))))
            .build();
    CriResources said = client.container("c1").flatMap(ContainerDetail::resources).orElseThrow();
    assertThat(said.cpus()).hasValue(CpuSet.of(5));
    assertThat(said.memoryNodes()).hasValue(NodeSet.of(1));
    assertThat(said.hugepages()).isEqualTo(Map.of("2MB", 2L << 20));
  }

  @Test
  void aRuntimeThatShowsNothingLeavesItOpen() throws IOException {
    tells("{}");
    ContainerDetail detail = client.container("c1").orElseThrow();
    assertThat(detail.resources()).isEmpty();
    assertThat(detail.pid()).isEmpty();
    assertThat(detail.sandbox()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[1]", "\"text\"", "null", "{\"pid\":\"x\",\"runtimeSpec\":[]}"})
  void informationOfAnotherShapeLeavesItOpen(String info) throws IOException {
    tells(info);
    ContainerDetail detail = client.container("c1").orElseThrow();
    assertThat(detail.pid()).isEmpty();
    assertThat(detail.resources()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"pid\":", "nonsense\nin lines"})
  void informationThatIsNoJsonIsOneLine(String info) {
    tells(info);
    isOneLine(() -> client.container("c1"), "ContainerStatus", "expected JSON");
  }

  @Test
  void aCpusetThatIsNoneIsOneLine() {
    tells("{\"runtimeSpec\":{\"linux\":{\"resources\":{\"cpu\":{\"cpus\":\"0-x\"}}}}}");
    isOneLine(() -> client.container("c1"), "0-x", socket.toString());
  }

  @Test
  void aContainerWithoutAnIdIsOneLine() {
    runtime.containers.add(Container.getDefaultInstance());
    isOneLine(client::containers, "expected an id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"runtimeSpec\":{\"linux\":{\"cgroupsPath\":\"kubepods-burstable-podx.slice:crio:abc\"}}}",
        "{\"config\":{\"linux\":{\"cgroup_parent\":\"kubepods-burstable-podx.slice\"}}}"
      })
  void aPodsSliceIsFoundInWhatSystemdIsTold(String info) throws IOException {
    runtime.pod =
        PodSandboxStatusResponse.newBuilder()
            .setStatus(PodSandboxStatus.newBuilder().setId("p1"))
            .putInfo("info", info)
            .build();
    assertThat(client.pod("p1").orElseThrow().cgroupParent())
        .hasValue("kubepods-burstable-podx.slice");
  }

  @Test
  void anUpdateSaysOnlyWhatItIsToldTo() throws IOException {
    assertThat(client.update("c1", CriResources.NOTHING.withCpus(CpuSet.parse("2-3,7"))))
        .isEqualTo(new Updated.Done());
    assertThat(runtime.updates.getFirst().getLinux())
        .isEqualTo(LinuxContainerResources.newBuilder().setCpusetCpus("2-3,7").build());
  }

  @Test
  void noCpuAtAllCannotBeAsked() {
    assertThatThrownBy(() -> CriResources.NOTHING.withCpus(CpuSet.EMPTY))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> CriResources.NOTHING.withMemoryNodes(NodeSet.EMPTY))
        .isInstanceOf(InvalidInputException.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"OK", "NOT_FOUND"})
  void everyOtherEndOfAQuestionIsOneLine(Status.Code code) {
    runtime.answer = code.toStatus().withDescription("first\nsecond\r\n\tthird");
    isOneLine(client::containers, code.toString(), "first second third");
    isOneLine(() -> client.container("c1"), code.toString());
  }

  @Test
  void aRefusalIsAnAnswerAndAnAbsentRuntimeIsNone() throws IOException {
    runtime.answer = Status.UNKNOWN.withDescription("no such CPU");
    assertThat(client.update("c1", CriResources.NOTHING))
        .isEqualTo(new Updated.Refused("UNKNOWN: no such CPU"));
    runtime.answer = Status.NOT_FOUND;
    assertThat(client.update("c1", CriResources.NOTHING)).isEqualTo(new Updated.Gone());
    runtime.answer = Status.UNAVAILABLE;
    isOneLine(() -> client.update("c1", CriResources.NOTHING), "UpdateContainerResources");
  }

  @Test
  void aLongComplaintIsCutShort() {
    runtime.answer = Status.UNKNOWN.withDescription("x".repeat(5_000));
    assertThatThrownBy(client::containers).message().hasSizeLessThan(800);
  }

  @Test
  void anAnswerThatIsTooLargeIsOneLine() {
    String much = "x".repeat(1 << 20);
    for (int i = 0; i < 17; i++) {
      runtime.containers.add(
          Container.newBuilder().setId("c" + i).putAnnotations("much", much).build());
    }
    isOneLine(client::containers, "RESOURCE_EXHAUSTED");
  }

  @Test
  void anAnswerWithAHundredThousandContainersIsOneLine() throws IOException {
    for (int i = 0; i < 5_000; i++) {
      runtime.containers.add(Container.newBuilder().setId("c" + i).build());
    }
    assertThat(client.containers()).hasSize(5_000);
    for (int i = 5_000; i < 100_001; i++) {
      runtime.containers.add(Container.newBuilder().setId("c" + i).build());
    }
    isOneLine(client::containers, "ListContainers", "RESOURCE_EXHAUSTED", "more than 100000 parts");
  }

  @Test
  void silenceEndsAtTheDeadline() {
    runtime.answersVersion = false;
    try (CriClient hasty = CriClient.of(socket, Duration.ofMillis(100))) {
      isOneLine(hasty::version, "Version", "DEADLINE_EXCEEDED");
    }
  }

  @Test
  void nobodyThereIsOneLine(@TempDir Path folder) {
    try (CriClient lonely = CriClient.of(folder.resolve("none.sock"))) {
      isOneLine(lonely::version, "UNAVAILABLE", "none.sock");
    }
  }

  @Test
  void whoeverSpeaksAnotherLanguageIsOneLine(@TempDir Path folder) throws IOException {
    Path other = folder.resolve("other.sock");
    try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listening.bind(UnixDomainSocketAddress.of(other));
      Thread speaker = Thread.ofVirtual().start(() -> speak(listening));
      try (CriClient lost = CriClient.of(other)) {
        isOneLine(lost::version, "Version", "other.sock");
        isOneLine(lost::version, "Version", "other.sock");
      }
      speaker.interrupt();
    }
  }

  private static void speak(ServerSocketChannel listening) {
    try {
      while (true) {
        try (SocketChannel caller = listening.accept()) {
          caller.write(
              ByteBuffer.wrap("HTTP/1.1 200 OK\r\n\r\nhello".getBytes(StandardCharsets.UTF_8)));
        }
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void eventsOfANewerInterfaceAreToldAsSuch() throws IOException {
    Heard heard = new Heard();
    try (CriEvents _ = client.follow(heard, _ -> {})) {
      heard.await("connected");
      Waiting.until("a follower", () -> runtime.followers.size() == 1);
      runtime
          .followers
          .getFirst()
          .onNext(
              ContainerEventResponse.newBuilder()
                  .setContainerId("c1")
                  .setContainerEventTypeValue(99)
                  .build());
      heard.await("OTHER c1");
    }
    Waiting.until("the runtime to know", runtime.followers::isEmpty);
  }

  @Test
  void aStreamThatTheRuntimeEndsIsBegunAnew() throws IOException {
    Heard heard = new Heard();
    List<String> log = new CopyOnWriteArrayList<>();
    try (CriEvents _ = client.follow(heard, log::add)) {
      Waiting.until("a follower", () -> runtime.followers.size() == 1);
      runtime
          .followers
          .getFirst()
          .onNext(
              ContainerEventResponse.newBuilder()
                  .setContainerId("c1")
                  .setContainerEventType(ContainerEventType.CONTAINER_STARTED_EVENT)
                  .build());
      heard.await("STARTED c1");
      runtime.followers.removeFirst().onCompleted();
      Waiting.until("another", () -> runtime.followers.size() == 1);
      Waiting.until("both told", () -> heard.count("connected") == 2);
      runtime
          .followers
          .getFirst()
          .onNext(
              ContainerEventResponse.newBuilder()
                  .setContainerId("c2")
                  .setContainerEventType(ContainerEventType.CONTAINER_STARTED_EVENT)
                  .build());
      heard.await("STARTED c2");
      assertThat(log).contains("CRI: the runtime ended the events");
    }
  }

  @Test
  void aRuntimeThatEndsTheStreamBeforeItTellsAnythingHasNoEvents() throws IOException {
    Heard heard = new Heard();
    List<String> log = new CopyOnWriteArrayList<>();
    try (CriEvents _ = client.follow(heard, log::add)) {
      Waiting.until("a follower", () -> runtime.followers.size() == 1);
      runtime.followers.removeFirst().onCompleted();
      heard.await("unsupported");
      assertThat(heard.count("lost")).isZero();
      assertThat(log)
          .last()
          .isEqualTo("CRI: the runtime has no events, so containers are listed now and then");
    }
  }

  @Test
  void aRuntimeThatHangsKeepsNoForgottenStreams() throws IOException {
    runtime.answersVersion = false;
    try (CriClient hasty = CriClient.of(socket, Duration.ofMillis(50));
        CriEvents _ = hasty.follow(new Heard(), _ -> {})) {
      Waiting.until("a stream", () -> !runtime.followers.isEmpty());
      Waiting.until("its end", runtime.followers::isEmpty);
    }
  }
}
