package dev.berth.cri;

import dev.berth.cpu.InvalidInputException;
import dev.berth.protocols.cri.ContainerStatus;
import dev.berth.protocols.cri.ContainerStatusRequest;
import dev.berth.protocols.cri.ContainerStatusResponse;
import dev.berth.protocols.cri.ListContainersRequest;
import dev.berth.protocols.cri.ListPodSandboxRequest;
import dev.berth.protocols.cri.PodSandboxStatusRequest;
import dev.berth.protocols.cri.PodSandboxStatusResponse;
import dev.berth.protocols.cri.RuntimeServiceGrpc;
import dev.berth.protocols.cri.RuntimeServiceGrpc.RuntimeServiceBlockingStub;
import dev.berth.protocols.cri.UpdateContainerResourcesRequest;
import dev.berth.protocols.cri.UpdateContainerResourcesResponse;
import dev.berth.protocols.cri.VersionRequest;
import dev.berth.protocols.cri.VersionResponse;
import dev.berth.rpc.RpcClient;
import io.grpc.ConnectivityState;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Asks a runtime. Every method but {@link #follow} waits for the answer, until the deadline at
 * most, and throws an {@code IOException} of one line where none comes. May be used by several
 * threads.
 */
public final class CriClient implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final Path socket;
  private final Duration deadline;
  private final RpcClient client;

  private CriClient(Path socket, Duration deadline) {
    this.socket = socket;
    this.deadline = deadline;
    client = RpcClient.of(socket);
  }

  /** Speaks to the runtime at a socket, once it is asked for something. */
  public static CriClient of(Path socket) {
    return of(socket, DEADLINE);
  }

  /**
   * The same.
   *
   * @param deadline for each answer
   */
  public static CriClient of(Path socket, Duration deadline) {
    return new CriClient(socket, deadline);
  }

  /** Who answers. */
  public RuntimeVersion version() throws IOException {
    return ask(
        "Version",
        stub -> {
          VersionResponse answer =
              stub.version(VersionRequest.newBuilder().setVersion("v1").build());
          return new RuntimeVersion(
              answer.getRuntimeName(), answer.getRuntimeVersion(), answer.getRuntimeApiVersion());
        });
  }

  /** All containers, in every state. */
  public List<CriContainer> containers() throws IOException {
    return ask(
        "ListContainers",
        stub ->
            stub
                .listContainers(ListContainersRequest.getDefaultInstance())
                .getContainersList()
                .stream()
                .map(CriContainer::of)
                .toList());
  }

  /** All pods' sandboxes, whether they run or not. */
  public List<CriPod> pods() throws IOException {
    return ask(
        "ListPodSandbox",
        stub ->
            stub.listPodSandbox(ListPodSandboxRequest.getDefaultInstance()).getItemsList().stream()
                .map(CriPod::of)
                .toList());
  }

  /** What there is to know of a container; empty where the runtime has none of this id. */
  public Optional<ContainerDetail> container(String id) throws IOException {
    return found(
        "ContainerStatus",
        stub ->
            detail(
                stub.containerStatus(
                    ContainerStatusRequest.newBuilder()
                        .setContainerId(id)
                        .setVerbose(true)
                        .build())));
  }

  /** What there is to know of a pod's sandbox; empty where the runtime has none of this id. */
  public Optional<PodDetail> pod(String sandbox) throws IOException {
    return found(
        "PodSandboxStatus",
        stub ->
            detail(
                stub.podSandboxStatus(
                    PodSandboxStatusRequest.newBuilder()
                        .setPodSandboxId(sandbox)
                        .setVerbose(true)
                        .build())));
  }

  /** Changes what a container may use; what the resources do not say stays as it is. */
  public Updated update(String id, CriResources resources) throws IOException {
    UpdateContainerResourcesRequest request =
        UpdateContainerResourcesRequest.newBuilder()
            .setContainerId(id)
            .setLinux(resources.message())
            .build();
    try {
      UpdateContainerResourcesResponse _ =
          ask("UpdateContainerResources", stub -> stub.updateContainerResources(request));
      return new Updated.Done();
    } catch (CriFault e) {
      if (e.code() == Status.Code.NOT_FOUND) {
        return new Updated.Gone();
      }
      if (e.isRefusal()) {
        return new Updated.Refused(e.why());
      }
      throw e;
    }
  }

  /**
   * Begins to follow what happens, over every restart of the runtime, until the result is closed.
   *
   * @param log told in one line about every change for the worse or the better
   */
  public CriEvents follow(CriListener listener, Consumer<String> log) {
    return CriEvents.start(this, listener, log);
  }

  /** One stream of events. */
  EventStream events() {
    reconnect();
    return EventStream.open(client.channel());
  }

  /** For messages about a stream of events. */
  CriFault fault(String method, StatusRuntimeException e) {
    return CriFault.of(method, socket, e);
  }

  private <T> Optional<T> found(String method, Function<RuntimeServiceBlockingStub, T> question)
      throws IOException {
    try {
      return Optional.of(ask(method, question));
    } catch (CriFault e) {
      if (e.code() == Status.Code.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private <T> T ask(String method, Function<RuntimeServiceBlockingStub, T> question)
      throws IOException {
    reconnect();
    try {
      return question.apply(
          RuntimeServiceGrpc.newBlockingStub(client.channel())
              .withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS));
    } catch (StatusRuntimeException e) {
      throw fault(method, e);
    } catch (InvalidInputException e) {
      throw new IOException("CRI " + method + " at " + socket + ": " + e.line(), e);
    }
  }

  /**
   * A channel that failed to connect answers with that failure until its next attempt, in the end
   * for minutes. Idle, it forgets, and the question at hand makes it try.
   */
  private void reconnect() {
    if (client.channel().getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      client.channel().enterIdle();
    }
  }

  private static ContainerDetail detail(ContainerStatusResponse answer) {
    ContainerStatus status = answer.getStatus();
    VerboseInfo info = VerboseInfo.of(answer.getInfoMap());
    return new ContainerDetail(
        status.getId(),
        info.sandbox(),
        status.getMetadata().getName(),
        CriState.of(status.getState()),
        new Labels(status.getLabelsMap()),
        status.getAnnotationsMap(),
        status.getResources().hasLinux()
            ? Optional.of(CriResources.of(status.getResources().getLinux()))
            : info.resources(),
        info.pid(),
        status.getExitCode());
  }

  private static PodDetail detail(PodSandboxStatusResponse answer) {
    VerboseInfo info = VerboseInfo.of(answer.getInfoMap());
    return new PodDetail(CriPod.of(answer.getStatus()), info.cgroupParent(), info.pid());
  }

  @Override
  public void close() {
    client.close();
  }
}
