package dev.berth.agent;

import dev.berth.protocols.cri.Container;
import dev.berth.protocols.cri.ContainerEventResponse;
import dev.berth.protocols.cri.ContainerEventType;
import dev.berth.protocols.cri.ContainerMetadata;
import dev.berth.protocols.cri.ContainerResources;
import dev.berth.protocols.cri.ContainerState;
import dev.berth.protocols.cri.ContainerStatus;
import dev.berth.protocols.cri.ContainerStatusRequest;
import dev.berth.protocols.cri.ContainerStatusResponse;
import dev.berth.protocols.cri.GetEventsRequest;
import dev.berth.protocols.cri.LinuxContainerResources;
import dev.berth.protocols.cri.ListContainersRequest;
import dev.berth.protocols.cri.ListContainersResponse;
import dev.berth.protocols.cri.ListPodSandboxRequest;
import dev.berth.protocols.cri.ListPodSandboxResponse;
import dev.berth.protocols.cri.PodSandbox;
import dev.berth.protocols.cri.PodSandboxMetadata;
import dev.berth.protocols.cri.PodSandboxState;
import dev.berth.protocols.cri.PodSandboxStatus;
import dev.berth.protocols.cri.PodSandboxStatusRequest;
import dev.berth.protocols.cri.PodSandboxStatusResponse;
import dev.berth.protocols.cri.RuntimeServiceGrpc.RuntimeServiceImplBase;
import dev.berth.protocols.cri.UpdateContainerResourcesRequest;
import dev.berth.protocols.cri.UpdateContainerResourcesResponse;
import dev.berth.protocols.cri.VersionRequest;
import dev.berth.protocols.cri.VersionResponse;
import dev.berth.rpc.RpcServer;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A runtime that speaks CRI and starts nothing. What it has outlives its server. */
final class ModelCri extends RuntimeServiceImplBase implements AutoCloseable {
  private static final long PERIOD = 100_000;
  private static final long MEMORY = 64 << 20;

  /** A container as it is now. */
  record Held(
      String id,
      String pod,
      String name,
      int cpus,
      ContainerState state,
      int code,
      LinuxContainerResources resources) {
    boolean isThere() {
      return state == ContainerState.CONTAINER_CREATED || state == ContainerState.CONTAINER_RUNNING;
    }

    Held ended(int how) {
      return new Held(id, pod, name, cpus, ContainerState.CONTAINER_EXITED, how, resources);
    }

    Held with(ContainerState other) {
      return new Held(id, pod, name, cpus, other, code, resources);
    }

    Held with(LinuxContainerResources other) {
      return new Held(id, pod, name, cpus, state, code, other);
    }
  }

  private record Pod(String qos, boolean ready) {}

  private final Path socket;
  private final boolean tells;
  private final Map<String, Pod> pods = new LinkedHashMap<>();
  private final Map<String, Held> containers = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> annotations = new HashMap<>();
  private final List<String> updated = new ArrayList<>();
  private final List<StreamObserver<ContainerEventResponse>> followers = new ArrayList<>();
  private Optional<RpcServer> server = Optional.empty();
  private boolean losing;
  private int count;

  /**
   * Has nothing yet and serves nobody.
   *
   * @param tells whether it has events
   */
  ModelCri(Path socket, boolean tells) {
    this.socket = socket;
    this.tells = tells;
  }

  synchronized void serve() throws IOException {
    server = Optional.of(RpcServer.start(socket, List.of(this)));
  }

  /** Ends its server, as a crash does. */
  @Override
  public void close() throws IOException {
    Optional<RpcServer> before;
    synchronized (this) {
      before = server;
      server = Optional.empty();
      followers.clear();
    }
    if (before.isPresent()) {
      before.get().close();
    }
  }

  /** From now on nobody hears of what happens, or everybody again. */
  synchronized void losing(boolean events) {
    losing = events;
  }

  synchronized List<Held> all() {
    return List.copyOf(containers.values());
  }

  synchronized Held held(String id) {
    return Objects.requireNonNull(containers.get(id), id);
  }

  private Pod pod(String name) {
    return Objects.requireNonNull(pods.get(name), name);
  }

  /** Who was updated, in this order, since somebody asked last. */
  synchronized List<String> updated() {
    List<String> all = List.copyOf(updated);
    updated.clear();
    return all;
  }

  /** Gives a pod an annotation, before it comes. */
  synchronized void annotate(String pod, String key, String text) {
    annotations.put(pod, Map.of(key, text));
  }

  /** Creates a container, and its pod where there is none. */
  synchronized String create(String pod, String qos, String name, int cpus) {
    pods.putIfAbsent(pod, new Pod(qos, true));
    String id = "c" + ++count;
    LinuxContainerResources.Builder resources = LinuxContainerResources.newBuilder();
    if (!qos.equals("besteffort")) {
      resources
          .setCpuPeriod(PERIOD)
          .setCpuQuota(PERIOD * cpus)
          .setCpuShares(1_024L * cpus)
          .setMemoryLimitInBytes(MEMORY);
    }
    put(
        new Held(id, pod, name, cpus, ContainerState.CONTAINER_CREATED, 0, resources.build()),
        ContainerEventType.CONTAINER_CREATED_EVENT);
    return id;
  }

  synchronized void start(String id) {
    put(
        held(id).with(ContainerState.CONTAINER_RUNNING),
        ContainerEventType.CONTAINER_STARTED_EVENT);
  }

  synchronized void stop(String id) {
    stop(id, 0);
  }

  /** The same with an exit code. */
  synchronized void stop(String id, int code) {
    put(held(id).ended(code), ContainerEventType.CONTAINER_STOPPED_EVENT);
  }

  synchronized void remove(String id) {
    Held held = held(id);
    containers.remove(id);
    tell(id, held.pod(), ContainerEventType.CONTAINER_DELETED_EVENT);
  }

  /** Stops all of a pod, and leaves it there. */
  synchronized void stopPod(String pod) {
    ofPod(pod).stream().filter(Held::isThere).forEach(held -> stop(held.id()));
    pods.put(pod, new Pod(pod(pod).qos(), false));
    tell(pod, pod, ContainerEventType.CONTAINER_STOPPED_EVENT);
  }

  synchronized void removePod(String pod) {
    stopPod(pod);
    ofPod(pod).forEach(held -> remove(held.id()));
    pods.remove(pod);
    tell(pod, pod, ContainerEventType.CONTAINER_DELETED_EVENT);
  }

  synchronized String qos(String pod) {
    return pod(pod).qos();
  }

  synchronized boolean isReady(String pod) {
    return pod(pod).ready();
  }

  private List<Held> ofPod(String pod) {
    return containers.values().stream().filter(held -> held.pod().equals(pod)).toList();
  }

  private void put(Held held, ContainerEventType what) {
    containers.put(held.id(), held);
    tell(held.id(), held.pod(), what);
  }

  private void tell(String id, String pod, ContainerEventType what) {
    if (!losing) {
      ContainerEventResponse event =
          ContainerEventResponse.newBuilder()
              .setContainerId(id)
              .setContainerEventType(what)
              .setPodSandboxStatus(PodSandboxStatus.newBuilder().setId(pod))
              .build();
      followers.forEach(follower -> follower.onNext(event));
    }
  }

  private static <T> void reply(StreamObserver<T> caller, T message) {
    caller.onNext(message);
    caller.onCompleted();
  }

  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> caller) {
    reply(caller, VersionResponse.newBuilder().setRuntimeName("model").build());
  }

  @Override
  public synchronized void getContainerEvents(
      GetEventsRequest request, StreamObserver<ContainerEventResponse> caller) {
    if (tells) {
      followers.add(caller);
      if (caller instanceof ServerCallStreamObserver<ContainerEventResponse> call) {
        call.setOnCancelHandler(() -> leaves(caller));
      }
    } else {
      caller.onError(Status.UNIMPLEMENTED.asRuntimeException());
    }
  }

  private synchronized void leaves(StreamObserver<ContainerEventResponse> follower) {
    followers.remove(follower);
  }

  @Override
  public synchronized void listContainers(
      ListContainersRequest request, StreamObserver<ListContainersResponse> caller) {
    ListContainersResponse.Builder answer = ListContainersResponse.newBuilder();
    for (Held held : containers.values()) {
      answer.addContainers(
          Container.newBuilder()
              .setId(held.id())
              .setPodSandboxId(held.pod())
              .setMetadata(ContainerMetadata.newBuilder().setName(held.name()))
              .setCreatedAt(Long.parseLong(held.id().substring(1)))
              .setState(held.state()));
    }
    reply(caller, answer.build());
  }

  @Override
  public synchronized void listPodSandbox(
      ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> caller) {
    ListPodSandboxResponse.Builder answer = ListPodSandboxResponse.newBuilder();
    pods.forEach((name, pod) ->
        answer.addItems(
            PodSandbox.newBuilder()
                .setId(name)
                .setMetadata(metadata(name))
                .setState(
                    pod.ready()
                        ? PodSandboxState.SANDBOX_READY
                        : PodSandboxState.SANDBOX_NOTREADY)));
    reply(caller, answer.build());
  }

  private static PodSandboxMetadata metadata(String pod) {
    return PodSandboxMetadata.newBuilder()
        .setName(pod)
        .setUid("uid-" + pod)
        .setNamespace("default")
        .build();
  }

  @Override
  public synchronized void containerStatus(
      ContainerStatusRequest request, StreamObserver<ContainerStatusResponse> caller) {
    Held held = containers.get(request.getContainerId());
    if (held == null) {
      caller.onError(Status.NOT_FOUND.asRuntimeException());
      return;
    }
    reply(
        caller,
        ContainerStatusResponse.newBuilder()
            .setStatus(
                ContainerStatus.newBuilder()
                    .setId(held.id())
                    .setMetadata(ContainerMetadata.newBuilder().setName(held.name()))
                    .setState(held.state())
                    .setExitCode(held.code())
                    .setResources(ContainerResources.newBuilder().setLinux(held.resources())))
            .putInfo("info", "{\"sandboxID\":\"" + held.pod() + "\"}")
            .build());
  }

  @Override
  public synchronized void podSandboxStatus(
      PodSandboxStatusRequest request, StreamObserver<PodSandboxStatusResponse> caller) {
    String name = request.getPodSandboxId();
    Pod pod = pods.get(name);
    if (pod == null) {
      caller.onError(Status.NOT_FOUND.asRuntimeException());
      return;
    }
    String parent =
        "/kubepods/" + (pod.qos().equals("guaranteed") ? "" : pod.qos() + "/") + "pod" + name;
    reply(
        caller,
        PodSandboxStatusResponse.newBuilder()
            .setStatus(
                PodSandboxStatus.newBuilder()
                    .setId(name)
                    .setMetadata(metadata(name))
                    .putAllAnnotations(annotations.getOrDefault(name, Map.of())))
            .putInfo("info", "{\"config\":{\"linux\":{\"cgroup_parent\":\"" + parent + "\"}}}")
            .build());
  }

  @Override
  public synchronized void updateContainerResources(
      UpdateContainerResourcesRequest request,
      StreamObserver<UpdateContainerResourcesResponse> caller) {
    Held held = containers.get(request.getContainerId());
    if (held == null || !held.isThere()) {
      caller.onError((held == null ? Status.NOT_FOUND : Status.UNKNOWN).asRuntimeException());
      return;
    }
    // What an update does not say stays as it is, which is how messages merge.
    containers.put(
        held.id(), held.with(held.resources().toBuilder().mergeFrom(request.getLinux()).build()));
    updated.add(held.id());
    reply(caller, UpdateContainerResourcesResponse.getDefaultInstance());
  }
}
