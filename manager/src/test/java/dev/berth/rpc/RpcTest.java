package dev.berth.rpc;

import static dev.berth.rpc.Echo.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.protocols.podresources.AllocatableResourcesRequest;
import dev.berth.protocols.podresources.GetPodResourcesRequest;
import dev.berth.protocols.podresources.ListPodResourcesRequest;
import dev.berth.protocols.podresources.PodResourcesListerGrpc;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a socket. */
class RpcTest {
  @TempDir private Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
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
  }

  @Test
  void aCallIsAnswered() {
    assertThat(ask(socket, "web")).isEqualTo("web");
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
      assertThat(ask(socket, "web")).isEqualTo("web");
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

  @Test
  void aCallThatTheServiceDoesNotHaveIsUnimplemented() {
    try (RpcClient client = RpcClient.of(socket)) {
      assertThatThrownBy(() ->
              PodResourcesListerGrpc.newBlockingStub(client.channel())
                  .getAllocatableResources(AllocatableResourcesRequest.getDefaultInstance()))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageStartingWith("UNIMPLEMENTED");
    }
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
}
