package dev.berth.agent;

import com.google.protobuf.MessageLite;
import dev.berth.nri.NriPeer;
import dev.berth.protocols.nri.ConfigureRequest;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerState;
import dev.berth.protocols.nri.ContainerUpdate;
import dev.berth.protocols.nri.CreateContainerRequest;
import dev.berth.protocols.nri.CreateContainerResponse;
import dev.berth.protocols.nri.LinuxCPU;
import dev.berth.protocols.nri.LinuxContainer;
import dev.berth.protocols.nri.LinuxMemory;
import dev.berth.protocols.nri.LinuxPodSandbox;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.OptionalInt64;
import dev.berth.protocols.nri.OptionalUInt64;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.protocols.nri.StopContainerRequest;
import dev.berth.protocols.nri.SynchronizeRequest;
import dev.berth.protocols.nri.SynchronizeResponse;
import dev.berth.protocols.nri.UpdateContainerRequest;
import dev.berth.protocols.nri.UpdateContainerResponse;
import dev.berth.protocols.nri.UpdateContainersRequest;
import dev.berth.protocols.nri.UpdateContainersResponse;
import dev.berth.ttrpc.TtrpcException;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A runtime that starts nothing, and otherwise does what one does: asks its plugin, carries out
 * what that says, one thing at a time.
 */
final class ModelRuntime implements AutoCloseable {
  private static final long PERIOD = 100_000;
  private static final long MEMORY = 1L << 30;

  private final ServerSocketChannel server;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Held> containers = new LinkedHashMap<>();
  private Optional<NriPeer> plugin = Optional.empty();
  private int count;
  private int unsolicited;
  private final Set<String> lost = new HashSet<>();
  private final Set<String> over = new HashSet<>();
  private boolean names = true;

  ModelRuntime(Path socket) throws IOException {
    server = NriPeer.listen(socket);
  }

  /** Waits for the plugin and tells it of everything. */
  void meet() throws IOException, TtrpcException, InterruptedException {
    NriPeer peer = NriPeer.accept(server, this::carryOut);
    peer.registered();
    peer.call(
        "Configure",
        ConfigureRequest.newBuilder().setRuntimeName("model").setRuntimeVersion("1").build());
    lock.lock();
    try {
      plugin = Optional.of(peer);
      SynchronizeRequest.Builder all = SynchronizeRequest.newBuilder();
      // As containerd has it: what has ended is not listed, its sandbox is.
      containers.values().stream()
          .map(Held::pod)
          .distinct()
          .map(pod -> pod.toBuilder().setPid(names && !over.contains(pod.getId()) ? 1 : 0).build())
          .forEach(all::addPods);
      containers.values().stream()
          .filter(held -> held.isRunning() && !lost.contains(held.id()))
          .forEach(held -> all.addContainers(held.container()));
      apply(SynchronizeResponse.parseFrom(peer.call("Synchronize", all.build())).getUpdateList());
    } finally {
      lock.unlock();
    }
  }

  /** Ends the connection, as a runtime that restarts does. */
  void leave() throws IOException {
    if (plugin.isPresent()) {
      plugin.get().close();
      plugin = Optional.empty();
    }
  }

  private UpdateContainersResponse carryOut(UpdateContainersRequest request) {
    lock.lock();
    try {
      unsolicited++;
      apply(request.getUpdateList());
      return UpdateContainersResponse.getDefaultInstance();
    } finally {
      lock.unlock();
    }
  }

  private void apply(List<ContainerUpdate> updates) {
    for (ContainerUpdate update : updates) {
      Held held = containers.get(update.getContainerId());
      if (held != null) {
        held.apply(update.getLinux().getResources());
      }
    }
  }

  /** All containers there are now, as they are. */
  List<Held> all() {
    lock.lock();
    try {
      return List.copyOf(containers.values());
    } finally {
      lock.unlock();
    }
  }

  /** From now on it names no process of a sandbox, as CRI-O does. */
  void nameNoProcesses() {
    names = false;
  }

  /** All of a pod stops, while nobody listens; it is listed until it is removed. */
  void stopUnheard(String podUid) {
    lock.lock();
    try {
      for (Held held : containers.values()) {
        if (held.podUid().equals(podUid)) {
          over.add(held.pod().getId());
          held.change(container -> container.setState(ContainerState.CONTAINER_STOPPED));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** From now on it lists a container no more, though that runs. */
  void loseSightOf(Held held) {
    lost.add(held.id());
  }

  /** How many times the plugin called by itself. */
  int unsolicited() {
    lock.lock();
    try {
      return unsolicited;
    } finally {
      lock.unlock();
    }
  }

  /** A new pod of a class: {@code guaranteed}, {@code burstable} or {@code besteffort}. */
  PodSandbox pod(String name, String qos) {
    String uid = "uid-" + name;
    return PodSandbox.newBuilder()
        .setId("sandbox-" + name)
        .setName(name)
        .setNamespace("default")
        .setUid(uid)
        .setLinux(
            LinuxPodSandbox.newBuilder()
                .setCgroupParent(
                    "/kubepods/" + (qos.equals("guaranteed") ? "" : qos + "/") + "pod" + uid))
        .build();
  }

  /** The same pod in another sandbox, since it has lost its own. */
  static PodSandbox again(PodSandbox pod) {
    return pod.toBuilder().setId(pod.getId() + "-again").build();
  }

  /** Tells of a sandbox: {@code StopPodSandbox} or {@code RemovePodSandbox}. */
  void tell(String method, PodSandbox pod) throws IOException, TtrpcException {
    lock.lock();
    try {
      call(method, StopContainerRequest.newBuilder().setPod(pod).build());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Creates and starts a container; without a plugin it just starts.
   *
   * @throws TtrpcException where the plugin refuses it
   */
  Held create(PodSandbox pod, String name, int cpus) throws IOException, TtrpcException {
    Held held = ask(pod, name, cpus);
    enter(held);
    return held;
  }

  /** The first half of a creation: the plugin has answered, and nobody knows the id yet. */
  Held ask(PodSandbox pod, String name, int cpus) throws IOException, TtrpcException {
    lock.lock();
    try {
      boolean asks = !pod.getLinux().getCgroupParent().contains("besteffort");
      LinuxResources.Builder resources = LinuxResources.newBuilder();
      if (asks) {
        resources
            .setCpu(
                LinuxCPU.newBuilder()
                    .setShares(OptionalUInt64.newBuilder().setValue(1_024L * cpus))
                    .setQuota(OptionalInt64.newBuilder().setValue(PERIOD * cpus))
                    .setPeriod(OptionalUInt64.newBuilder().setValue(PERIOD)))
            .setMemory(
                LinuxMemory.newBuilder().setLimit(OptionalInt64.newBuilder().setValue(MEMORY)));
      }
      Container container =
          Container.newBuilder()
              .setId("c" + ++count)
              .setPodSandboxId(pod.getId())
              .setName(name)
              .setState(ContainerState.CONTAINER_CREATED)
              .setLinux(LinuxContainer.newBuilder().setResources(resources))
              .build();
      Held held = new Held(pod, container);
      if (plugin.isPresent()) {
        CreateContainerResponse answer =
            CreateContainerResponse.parseFrom(
                call(
                    "CreateContainer",
                    CreateContainerRequest.newBuilder()
                        .setPod(pod)
                        .setContainer(container)
                        .build()));
        apply(answer.getUpdateList());
        held.apply(answer.getAdjust().getLinux().getResources());
      }
      return held;
    } finally {
      lock.unlock();
    }
  }

  /** Does several things before it carries out what its plugin asks for by itself. */
  <T> T inOneGo(Callable<T> deeds) throws Exception {
    lock.lock();
    try {
      return deeds.call();
    } finally {
      lock.unlock();
    }
  }

  /** The id is known, and nobody says so. */
  void know(Held held) {
    lock.lock();
    try {
      containers.put(held.id(), held);
    } finally {
      lock.unlock();
    }
  }

  /** The second half: the id is known, and the container starts. */
  void enter(Held held) throws IOException, TtrpcException {
    lock.lock();
    try {
      containers.put(held.id(), held);
      held.change(container -> container.setState(ContainerState.CONTAINER_RUNNING));
      tell("PostStartContainer", held);
    } finally {
      lock.unlock();
    }
  }

  /** A creation fails after the plugin has answered, and is taken back. */
  void undo(Held held) throws IOException, TtrpcException {
    lock.lock();
    try {
      tell("StopContainer", held);
      tell("RemoveContainer", held);
    } finally {
      lock.unlock();
    }
  }

  /** Gives a container a first process. */
  void run(Held held, long pid) throws IOException, TtrpcException {
    lock.lock();
    try {
      held.change(container -> container.setPid((int) pid));
      tell("PostStartContainer", held);
    } finally {
      lock.unlock();
    }
  }

  /** Somebody changes the quota of a container. */
  void resize(Held held, long quota) throws IOException, TtrpcException {
    lock.lock();
    try {
      LinuxResources change =
          LinuxResources.newBuilder()
              .setCpu(LinuxCPU.newBuilder().setQuota(OptionalInt64.newBuilder().setValue(quota)))
              .build();
      UpdateContainerResponse answer =
          UpdateContainerResponse.parseFrom(
              call(
                  "UpdateContainer",
                  UpdateContainerRequest.newBuilder()
                      .setPod(held.pod())
                      .setContainer(held.container())
                      .setLinuxResources(change)
                      .build()));
      held.apply(change);
      apply(answer.getUpdateList());
    } finally {
      lock.unlock();
    }
  }

  private byte[] call(String method, MessageLite request) throws IOException, TtrpcException {
    return plugin.orElseThrow().call(method, request).toByteArray();
  }

  /** Stops a container, and leaves it there. */
  void stop(Held held) throws IOException, TtrpcException {
    stop(held, 0);
  }

  /** The same with an exit code. */
  void stop(Held held, int code) throws IOException, TtrpcException {
    lock.lock();
    try {
      held.change(container ->
          container.setState(ContainerState.CONTAINER_STOPPED).setExitCode(code).setFinishedAt(1));
      tell("StopContainer", held);
    } finally {
      lock.unlock();
    }
  }

  /** Removes a container. */
  void remove(Held held) throws IOException, TtrpcException {
    lock.lock();
    try {
      containers.remove(held.id());
      tell("RemoveContainer", held);
    } finally {
      lock.unlock();
    }
  }

  /** Stops and removes all of a pod. */
  void removePod(String podUid) throws IOException, TtrpcException {
    List<Held> all = new ArrayList<>(all());
    all.removeIf(held -> !held.podUid().equals(podUid));
    for (Held held : all) {
      stop(held);
    }
    lock.lock();
    try {
      for (Held held : all) {
        containers.remove(held.id());
      }
      if (!all.isEmpty()) {
        tell("StopPodSandbox", all.getFirst());
        tell("RemovePodSandbox", all.getFirst());
      }
    } finally {
      lock.unlock();
    }
  }

  private void tell(String method, Held held) throws IOException, TtrpcException {
    if (plugin.isPresent()) {
      call(
          method,
          StopContainerRequest.newBuilder()
              .setPod(held.pod())
              .setContainer(held.container())
              .build());
    }
  }

  @Override
  public void close() throws IOException {
    leave();
    server.close();
  }
}
