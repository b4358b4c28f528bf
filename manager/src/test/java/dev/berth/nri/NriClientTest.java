package dev.berth.nri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.berth.cpu.InvalidInputException;
import dev.berth.protocols.nri.ConfigureRequest;
import dev.berth.protocols.nri.ConfigureResponse;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerNote;
import dev.berth.protocols.nri.ContainerUpdate;
import dev.berth.protocols.nri.CreateContainerRequest;
import dev.berth.protocols.nri.CreateContainerResponse;
import dev.berth.protocols.nri.Empty;
import dev.berth.protocols.nri.Event;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.PodNote;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.protocols.nri.StateChangeEvent;
import dev.berth.protocols.nri.StopContainerRequest;
import dev.berth.protocols.nri.SynchronizeRequest;
import dev.berth.protocols.nri.SynchronizeResponse;
import dev.berth.protocols.nri.UpdateContainerRequest;
import dev.berth.protocols.nri.UpdateContainersResponse;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The protocol, against a runtime's side of it that is written here. */
class NriClientTest {
  @TempDir private Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private Path socket;
  private NriClient client;
  private volatile Runnable afterwards = () -> {};

  @BeforeEach
  void start() {
    socket = folder.resolve("nri.sock");
    client = NriClient.start(socket, "10", "berth", new Recorder(), log::add);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
  }

  /** Writes down what it hears, and refuses containers called {@code greedy}. */
  private final class Recorder implements NriPolicy {
    private List<ContainerUpdate> updates(String what) {
      heard.add(what);
      return List.of(ContainerUpdate.newBuilder().setContainerId(what).build());
    }

    @Override
    public void connected(String runtime, String version, long timeoutMilliseconds) {
      heard.add("connected " + runtime + " " + version + " " + timeoutMilliseconds);
    }

    @Override
    public boolean reads(String annotation) {
      return true;
    }

    @Override
    public List<ContainerUpdate> synchronize(List<PodSandbox> pods, List<Container> containers) {
      return updates("synchronize " + pods.size() + " " + containers.size());
    }

    @Override
    public byte[] create(Creation creation) throws RefusedException {
      if (creation.name().equals("greedy")) {
        throw new RefusedException("no room: pod db holds 1-7");
      }
      return CreateContainerResponse.newBuilder()
          .addAllUpdate(updates("create " + creation.podName() + "/" + creation.name()))
          .build()
          .toByteArray();
    }

    @Override
    public List<ContainerUpdate> update(PodSandbox pod, Container container, LinuxResources r) {
      return updates("update " + r.getCpu().getCpus());
    }

    @Override
    public void stopped(ContainerNote container) {
      heard.add("stopped " + container.getId());
    }

    @Override
    public void removed(ContainerNote container) {
      heard.add("removed " + container.getId());
    }

    @Override
    public void updated(ContainerNote container) {
      heard.add("updated " + container.getId());
    }

    @Override
    public void started(ContainerNote container) {
      heard.add("started " + container.getId() + " " + container.getPid());
    }

    @Override
    public void podStopped(PodNote pod) {
      heard.add("pod stopped " + pod.getId());
    }

    @Override
    public void podRemoved(PodNote pod) {
      heard.add("pod removed " + pod.getId());
    }

    @Override
    public void answered() {
      afterwards.run();
    }
  }

  private ServerSocketChannel listen() throws IOException {
    return NriPeer.listen(socket);
  }

  private static NriPeer peer(ServerSocketChannel server) throws IOException {
    return NriPeer.accept(
        server,
        _ ->
            UpdateContainersResponse.newBuilder()
                .addFailed(ContainerUpdate.newBuilder().setContainerId("failed"))
                .build());
  }

  private static PodSandbox pod(String name) {
    return PodSandbox.newBuilder().setId(name).setName(name).build();
  }

  private static Container container(String name) {
    return Container.newBuilder().setId(name).setName(name).build();
  }

  /** The runtime may call before the client has seen that it is registered. */
  private void awaitConnection() throws InterruptedException {
    for (int wait = 0; wait < 1_000 && !client.isConnected(); wait++) {
      Thread.sleep(10);
    }
    assertThat(client.isConnected()).isTrue();
  }

  @Test
  void whatIsDoneAfterwardsHoldsUpNoAnswer() throws Exception {
    CountDownLatch heardIt = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    afterwards =
        () -> {
          try {
            heardIt.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          done.countDown();
        };
    try (ServerSocketChannel server = listen();
        NriPeer runtime = peer(server)) {
      runtime.registered();
      runtime.call("Configure", ConfigureRequest.getDefaultInstance());
      assertThat(done.getCount()).isEqualTo(1);
      heardIt.countDown();
      assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aDefectAfterwardsIsLoggedAndTheNextIsAnswered() throws Exception {
    afterwards =
        () -> {
          throw new IllegalStateException("broken");
        };
    try (ServerSocketChannel server = listen();
        NriPeer runtime = peer(server)) {
      runtime.registered();
      runtime.call("Configure", ConfigureRequest.getDefaultInstance());
      runtime.call("Configure", ConfigureRequest.getDefaultInstance());
      assertThat(log).anyMatch(line -> line.contains("internal error") && line.contains("broken"));
    }
  }

  @Test
  void registersAndServes() throws Exception {
    try (ServerSocketChannel server = listen();
        NriPeer runtime = peer(server)) {
      assertThat(runtime.registered()).isEqualTo("10-berth");
      ConfigureResponse configured =
          ConfigureResponse.parseFrom(
              runtime.call(
                  "Configure",
                  ConfigureRequest.newBuilder()
                      .setRuntimeName("containerd")
                      .setRuntimeVersion("2.4.2")
                      .setRequestTimeout(2_000)
                      .build()));
      assertThat(configured.getEvents()).as("events 2 to 4 and 7 to 11").isEqualTo(0x7ce);
      CreateContainerResponse created =
          CreateContainerResponse.parseFrom(
              runtime.call(
                  "CreateContainer",
                  CreateContainerRequest.newBuilder()
                      .setPod(pod("db"))
                      .setContainer(container("server"))
                      .build()));
      assertThat(created.getUpdate(0).getContainerId()).isEqualTo("create db/server");
      runtime.call(
          "UpdateContainer",
          UpdateContainerRequest.newBuilder()
              .setLinuxResources(
                  LinuxResources.newBuilder()
                      .setCpu(dev.berth.protocols.nri.LinuxCPU.newBuilder().setCpus("0-3")))
              .build());
      StopContainerRequest stop =
          StopContainerRequest.newBuilder()
              .setPod(pod("db"))
              .setContainer(container("server"))
              .build();
      runtime.call("PostUpdateContainer", stop);
      runtime.call("PostStartContainer", stop);
      runtime.call("StopContainer", stop);
      runtime.call("StopPodSandbox", stop);
      runtime.call("RemoveContainer", stop);
      runtime.call(
          "StateChange",
          StateChangeEvent.newBuilder()
              .setEvent(Event.REMOVE_POD_SANDBOX)
              .setPod(PodNote.newBuilder().setId("db"))
              .build());
      assertThat(heard)
          .containsExactly(
              "connected containerd 2.4.2 2000",
              "create db/server",
              "update 0-3",
              "updated server",
              "started server 0",
              "stopped server",
              "pod stopped db",
              "removed server",
              "pod removed db");
      awaitConnection();
      assertThat(client.update(List.of(ContainerUpdate.getDefaultInstance())).getFirst())
          .extracting(ContainerUpdate::getContainerId)
          .isEqualTo("failed");
    }
  }

  @Test
  void aRefusalReachesTheRuntimeInItsOwnWords() throws Exception {
    try (ServerSocketChannel server = listen();
        NriPeer runtime = peer(server)) {
      runtime.registered();
      CreateContainerRequest greedy =
          CreateContainerRequest.newBuilder().setContainer(container("greedy")).build();
      assertThatThrownBy(() -> runtime.call("CreateContainer", greedy))
          .hasMessage("no room: pod db holds 1-7");
      assertThatThrownBy(() -> runtime.call("StartContainer", greedy))
          .hasMessageContaining("StartContainer: not asked for");
      assertThatThrownBy(() ->
              runtime.call(
                  PluginService.NAME,
                  "CreateContainer",
                  ByteString.copyFrom(new byte[] {-1, -1, -1})))
          .hasMessageContaining("CreateContainer: expected protobuf");
    }
  }

  @Test
  void whatComesInPiecesIsSynchronizedAsAWhole() throws Exception {
    try (ServerSocketChannel server = listen();
        NriPeer runtime = peer(server)) {
      runtime.registered();
      for (int i = 0; i < 3; i++) {
        SynchronizeResponse part =
            SynchronizeResponse.parseFrom(
                runtime.call(
                    "Synchronize",
                    SynchronizeRequest.newBuilder()
                        .addPods(pod("p" + i))
                        .addContainers(container("c" + i))
                        .setMore(i < 2)
                        .build()));
        assertThat(part.getMore()).isEqualTo(i < 2);
        assertThat(part.getUpdateCount()).isEqualTo(i < 2 ? 0 : 1);
      }
      assertThat(heard).containsExactly("synchronize 3 3");
    }
  }

  @Test
  void comesBackByItselfWhenTheRuntimeDoes() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (ServerSocketChannel server = listen();
          NriPeer runtime = peer(server)) {
        assertThat(runtime.registered()).isEqualTo("10-berth");
        awaitConnection();
      }
    }
    assertThatThrownBy(() -> client.update(List.of())).isInstanceOf(IOException.class);
  }

  @Test
  void aShutdownIsAnsweredBeforeTheConnectionEndsAndThePluginComesBack() throws Exception {
    try (ServerSocketChannel server = listen()) {
      try (NriPeer runtime = peer(server)) {
        runtime.registered();
        awaitConnection();
        assertThat(runtime.call("Shutdown", Empty.getDefaultInstance()))
            .isEqualTo(ByteString.EMPTY);
        String line = "NRI: connection to " + socket + " ended: the runtime has shut us down";
        for (int wait = 0; wait < 1_000 && !log.contains(line); wait++) {
          Thread.sleep(10);
        }
        assertThat(log).contains(line);
      }
      try (NriPeer again = peer(server)) {
        assertThat(again.registered()).isEqualTo("10-berth");
      }
    }
  }

  @Test
  void anIndexIsTwoDigits() {
    assertThatThrownBy(() -> NriClient.start(socket, "1", "berth", new Recorder(), log::add))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("NRI plugin index: expected two digits, found \"1\"");
  }
}
