package dev.berth.deviceplugin;

import static dev.berth.deviceplugin.FakePlugin.device;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.Device;
import dev.berth.protocols.deviceplugin.DevicePluginGrpc;
import dev.berth.protocols.deviceplugin.DevicePluginOptions;
import dev.berth.protocols.deviceplugin.Empty;
import dev.berth.protocols.deviceplugin.RegisterRequest;
import dev.berth.protocols.deviceplugin.RegistrationGrpc;
import dev.berth.rpc.RpcClient;
import dev.berth.rpc.RpcServer;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strangers on both sides of the folder's sockets, beside a plugin that is well. */
class HostilePluginTest {
  private static final String GOOD = "vendor.example/good";
  private static final String BAD = "vendor.example/bad";
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir private Path folder;
  private final Heard heard = new Heard();
  private DevicePlugins plugins;
  private FakePlugin good;

  @BeforeEach
  void start() throws Exception {
    plugins =
        DevicePlugins.start(
            folder, heard, new Patience(Duration.ofSeconds(5), LONG, LONG, LONG, LONG));
    good = FakePlugin.start(folder, "good.sock", device("g", true));
    good.register(GOOD);
    heard.awaitDevices(GOOD, Device.of(GOOD, "g"));
  }

  @AfterEach
  void close() throws IOException {
    good.close();
    plugins.close();
  }

  private static RegisterRequest request(String endpoint) {
    return RegisterRequest.newBuilder()
        .setVersion("v1beta1")
        .setResourceName(BAD)
        .setEndpoint(endpoint)
        .build();
  }

  private void assertTheOtherIsWell() throws InterruptedException {
    good.say(FakePlugin.list(device("g", true), device("h", true)));
    heard.awaitDevices(GOOD, Device.of(GOOD, "g"), Device.of(GOOD, "h"));
    assertThat(plugins.allocate(Map.of(GOOD, List.of("g")))).isInstanceOf(Answer.Given.class);
  }

  /** Answers whoever connects with these bytes, and then nothing. */
  private ServerSocketChannel speaks(byte[] bytes) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(folder.resolve("bad.sock")));
    List<SocketChannel> held = new CopyOnWriteArrayList<>();
    Thread.startVirtualThread(() -> {
      try {
        while (true) {
          SocketChannel channel = server.accept();
          held.add(channel);
          channel.write(ByteBuffer.wrap(bytes));
        }
      } catch (IOException e) {
        // The test is over.
        held.forEach(HostilePluginTest::hangUp);
      }
    });
    return server;
  }

  private static void hangUp(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertTurnedAway(byte[] bytes) throws Exception {
    try (ServerSocketChannel bad = speaks(bytes)) {
      assertThatThrownBy(() -> FakePlugin.register(folder, request("bad.sock")))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("device plugin of vendor.example/bad: expected its options, found");
      assertThat(bad.isOpen()).isTrue();
    }
    assertThat(heard.log()).singleElement().asString().doesNotContain("\n");
    assertThat(plugins.devices()).containsOnlyKeys(GOOD);
    assertTheOtherIsWell();
  }

  @Test
  @Tag("slow")
  void aPluginThatSpeaksGarbageIsTurnedAway() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    byte[] noise = new byte[10_000];
    new Random(seed).nextBytes(noise);
    assertTurnedAway(noise);
  }

  @Test
  @Tag("slow")
  void aPluginThatSaysNothingIsTurnedAway() throws Exception {
    assertTurnedAway(new byte[0]);
  }

  @Test
  void garbageOnTheRegistrationSocketHurtsNoPlugin() throws Exception {
    try (SocketChannel channel =
        SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve(DevicePlugins.SOCKET)))) {
      channel.write(ByteBuffer.wrap(new byte[10_000]));
      heard.await(now -> !now.log().isEmpty());
    }
    assertThat(heard.log())
        .singleElement()
        .asString()
        .contains("kubelet.sock: connection ended: HTTP/2 client preface string missing");
    assertTheOtherIsWell();
  }

  /** Passes bytes as they are. */
  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static BindableService listing(byte[] bytes) {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.newBuilder(BYTES, BYTES)
            .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
            .setFullMethodName(DevicePluginGrpc.getListAndWatchMethod().getFullMethodName())
            .build();
    return () ->
        ServerServiceDefinition.builder(DevicePluginGrpc.SERVICE_NAME)
            .addMethod(
                method, ServerCalls.asyncServerStreamingCall((request, out) -> out.onNext(bytes)))
            .build();
  }

  @Test
  void aListThatIsNoProtobufEndsItsPluginWithOneLine() throws Exception {
    byte[] noise = {10, -1, -1, -1, -1, 15, 1, 2, 3};
    try (RpcServer bad = RpcServer.start(folder.resolve("bad.sock"), List.of(listing(noise)))) {
      assertThat(bad).isNotNull();
      // It knows no options, so those of its registration count.
      FakePlugin.register(
          folder,
          request("bad.sock").toBuilder()
              .setOptions(DevicePluginOptions.getDefaultInstance())
              .build());
      heard.await(now -> !now.log().isEmpty());
    }
    assertThat(heard.log())
        .singleElement()
        .asString()
        .startsWith("device plugin of vendor.example/bad: expected lists of devices, found ");
    assertThat(heard.of(BAD)).isEmpty();
    assertTheOtherIsWell();
  }

  @Test
  void registrationsThatFloodAreTurnedAway() throws Exception {
    int refused = 0;
    try (RpcClient client = RpcClient.of(folder.resolve(DevicePlugins.SOCKET))) {
      var stub = RegistrationGrpc.newBlockingStub(client.channel());
      for (int i = 0; i < 500; i++) {
        try {
          Empty taken = stub.register(RegisterRequest.getDefaultInstance());
          throw new AssertionError("taken: " + taken);
        } catch (StatusRuntimeException e) {
          refused += e.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED ? 1 : 0;
        }
      }
    }
    assertThat(refused).isGreaterThan(300);
    assertThat(heard.log()).hasSizeLessThan(200);
    assertTheOtherIsWell();
  }
}
