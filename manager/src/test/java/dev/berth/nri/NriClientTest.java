package dev.berth.nri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.berth.cpu.InvalidInputException;
import dev.berth.protocols.nri.ConfigureRequest;
import dev.berth.protocols.nri.ConfigureResponse;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerUpdate;
import dev.berth.protocols.nri.CreateContainerRequest;
import dev.berth.protocols.nri.CreateContainerResponse;
import dev.berth.protocols.nri.Empty;
import dev.berth.protocols.nri.Event;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.protocols.nri.RegisterPluginRequest;
import dev.berth.protocols.nri.StateChangeEvent;
import dev.berth.protocols.nri.StopContainerRequest;
import dev.berth.protocols.nri.SynchronizeRequest;
import dev.berth.protocols.nri.SynchronizeResponse;
import dev.berth.protocols.nri.UpdateContainerRequest;
import dev.berth.protocols.nri.UpdateContainersResponse;
import dev.berth.ttrpc.Multiplexer;
import dev.berth.ttrpc.TtrpcConnection;
import dev.berth.ttrpc.TtrpcException;
import dev.berth.ttrpc.TtrpcHandler;
import dev.berth.ttrpc.Wire;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The protocol, against a runtime's side of it that is written here. */
class NriClientTest {
  private static final Duration TIME = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private Path socket;
  private NriClient client;

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
    public List<ContainerUpdate> synchronize(List<PodSandbox> pods, List<Container> containers) {
      return updates("synchronize " + pods.size() + " " + containers.size());
    }

    @Override
    public CreateContainerResponse create(PodSandbox pod, Container container)
        throws RefusedException {
      if (container.getName().equals("greedy")) {
        throw new RefusedException("no room: pod db holds 1-7");
      }
      return CreateContainerResponse.newBuilder()
          .addAllUpdate(updates("create " + pod.getName() + "/" + container.getName()))
          .build();
    }

    @Override
    public List<ContainerUpdate> update(PodSandbox pod, Container container, LinuxResources r) {
      return updates("update " + r.getCpu().getCpus());
    }

    @Override
    public List<ContainerUpdate> stopped(PodSandbox pod, Container container) {
      return updates("stopped " + container.getName());
    }

    @Override
    public void removed(PodSandbox pod, Container container) {
      heard.add("removed " + container.getName());
    }

    @Override
    public void updated(PodSandbox pod, Container container) {
      heard.add("updated " + container.getName());
    }

    @Override
    public void started(PodSandbox pod, Container container) {
      heard.add("started " + container.getName() + " " + container.getPid());
    }

    @Override
    public void podStopped(PodSandbox pod) {
      heard.add("pod stopped " + pod.getName());
    }

    @Override
    public void podRemoved(PodSandbox pod) {
      heard.add("pod removed " + pod.getName());
    }
  }

  /** The runtime's side of one connection. */
  private static final class Peer implements AutoCloseable {
    private final Multiplexer trunk;
    private final TtrpcConnection plugin;
    private final TtrpcConnection calls;
    private final BlockingQueue<String> registered = new LinkedBlockingQueue<>();

    Peer(ServerSocketChannel server) throws IOException {
      trunk = Multiplexer.over(Wire.of(server.accept(), "runtime"), _ -> {});
      calls = TtrpcConnection.open(trunk.open(2), this::answer, _ -> {});
      plugin = TtrpcConnection.open(trunk.open(1), TtrpcHandler.NONE, _ -> {});
    }

    private ByteString answer(String service, String method, ByteString request)
        throws TtrpcException {
      try {
        if (method.equals("RegisterPlugin")) {
          RegisterPluginRequest register = RegisterPluginRequest.parseFrom(request);
          registered.add(register.getPluginIdx() + "-" + register.getPluginName());
          return Empty.getDefaultInstance().toByteString();
        }
        return UpdateContainersResponse.newBuilder()
            .addFailed(ContainerUpdate.newBuilder().setContainerId("failed"))
            .build()
            .toByteString();
      } catch (IOException e) {
        throw new TtrpcException(TtrpcException.INTERNAL, e.toString());
      }
    }

    String registered() throws InterruptedException {
      return String.valueOf(registered.poll(10, TimeUnit.SECONDS));
    }

    ByteString call(String method, MessageLite request) throws IOException, TtrpcException {
      return plugin.call(PluginService.NAME, method, request.toByteString(), TIME);
    }

    @Override
    public void close() throws IOException {
      calls.close();
      plugin.close();
      trunk.close();
    }
  }

  private ServerSocketChannel listen() throws IOException {
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    return server;
  }

  private static PodSandbox pod(String name) {
    return PodSandbox.newBuilder().setName(name).build();
  }

  private static Container container(String name) {
    return Container.newBuilder().setName(name).build();
  }

  @Test
  void registersAndServes() throws Exception {
    try (ServerSocketChannel server = listen();
        Peer runtime = new Peer(server)) {
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
      assertThat(configured.getEvents()).as("events 2, 3, 4 and 7 to 11").isEqualTo(0x7ce);
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
              .setPod(pod("db"))
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
      assertThat(client.update(List.of(ContainerUpdate.getDefaultInstance())).getFirst())
          .extracting(ContainerUpdate::getContainerId)
          .isEqualTo("failed");
    }
  }

  @Test
  void aRefusalReachesTheRuntimeInItsOwnWords() throws Exception {
    try (ServerSocketChannel server = listen();
        Peer runtime = new Peer(server)) {
      runtime.registered();
      CreateContainerRequest greedy =
          CreateContainerRequest.newBuilder().setContainer(container("greedy")).build();
      assertThatThrownBy(() -> runtime.call("CreateContainer", greedy))
          .hasMessage("no room: pod db holds 1-7");
      assertThatThrownBy(() -> runtime.call("PostCreateContainer", greedy))
          .hasMessageContaining("PostCreateContainer: not asked for");
      assertThatThrownBy(() ->
              runtime.plugin.call(
                  PluginService.NAME,
                  "CreateContainer",
                  ByteString.copyFrom(new byte[] {-1, -1, -1}),
                  TIME))
          .hasMessageContaining("CreateContainer: expected protobuf");
    }
  }

  @Test
  void whatComesInPiecesIsSynchronizedAsAWhole() throws Exception {
    try (ServerSocketChannel server = listen();
        Peer runtime = new Peer(server)) {
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
          Peer runtime = new Peer(server)) {
        assertThat(runtime.registered()).isEqualTo("10-berth");
        for (int wait = 0; wait < 1_000 && !client.isConnected(); wait++) {
          Thread.sleep(10);
        }
        assertThat(client.isConnected()).isTrue();
      }
    }
    assertThatThrownBy(() -> client.update(List.of())).isInstanceOf(IOException.class);
  }

  @Test
  void anIndexIsTwoDigits() {
    assertThatThrownBy(() -> NriClient.start(socket, "1", "berth", new Recorder(), log::add))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("NRI plugin index: expected two digits, found \"1\"");
  }
}
