package dev.berth.runtime;

import dev.berth.protocols.cri.ContainerConfig;
import dev.berth.protocols.cri.ContainerMetadata;
import dev.berth.protocols.cri.ContainerState;
import dev.berth.protocols.cri.ContainerStatus;
import dev.berth.protocols.cri.ContainerStatusRequest;
import dev.berth.protocols.cri.CreateContainerRequest;
import dev.berth.protocols.cri.ImageSpec;
import dev.berth.protocols.cri.LinuxContainerConfig;
import dev.berth.protocols.cri.LinuxContainerSecurityContext;
import dev.berth.protocols.cri.PodSandboxConfig;
import dev.berth.protocols.cri.RemoveContainerRequest;
import dev.berth.protocols.cri.RemovePodSandboxRequest;
import dev.berth.protocols.cri.StartContainerRequest;
import dev.berth.protocols.cri.StopContainerRequest;
import dev.berth.protocols.cri.StopPodSandboxRequest;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A pod whose sandbox runs. Containers are named by the id that the runtime gave them. */
public final class RealPod {
  /** Prints, with its first instructions, on which CPUs it may run. */
  public static final String TELL_CPUS = "grep Cpus_allowed_list /proc/self/status";

  private final RealPods pods;
  private final String id;
  private final QosClass qos;
  private final PodSandboxConfig config;
  private final Map<String, Integer> attempts = new ConcurrentHashMap<>();

  RealPod(RealPods pods, String id, QosClass qos, PodSandboxConfig config) {
    this.pods = pods;
    this.id = id;
    this.qos = qos;
    this.config = config;
  }

  /** The sandbox' id. */
  public String id() {
    return id;
  }

  /** As Kubernetes would have given it. */
  public String uid() {
    return config.getMetadata().getUid();
  }

  /** The group that all its containers are below. */
  public String group() {
    return config.getLinux().getCgroupParent();
  }

  /**
   * Creates a container and starts it.
   *
   * @param script for the shell; it is the container's first process
   * @return the container's id
   */
  public String start(String name, Asks asks, String script) {
    String container = create(name, asks, script);
    start(container);
    return container;
  }

  /**
   * Creates a container and does not start it. One that was there before is another attempt, as a
   * kubelet counts them; what it writes follows in the same log.
   */
  public String create(String name, Asks asks, String script) {
    ContainerConfig.Builder container =
        ContainerConfig.newBuilder()
            .setMetadata(
                ContainerMetadata.newBuilder()
                    .setName(name)
                    .setAttempt(attempts.merge(name, 1, Integer::sum) - 1))
            .setImage(
                ImageSpec.newBuilder()
                    .setImage(RealRuntime.IMAGE)
                    .setUserSpecifiedImage(RealRuntime.IMAGE))
            .addAllCommand(List.of("/bin/sh", "-c", script))
            .putAllLabels(config.getLabelsMap())
            .putLabels("io.kubernetes.container.name", name)
            .setLogPath(name + ".log")
            .setLinux(
                LinuxContainerConfig.newBuilder()
                    .setResources(asks.resources(qos))
                    .setSecurityContext(
                        LinuxContainerSecurityContext.newBuilder()
                            .setNamespaceOptions(RealPods.hostNetwork())));
    return pods.stub()
        .createContainer(
            CreateContainerRequest.newBuilder()
                .setPodSandboxId(id)
                .setConfig(container)
                .setSandboxConfig(config)
                .build())
        .getContainerId();
  }

  /** Starts a container that was created. */
  public void start(String container) {
    var _ =
        pods.stub()
            .startContainer(StartContainerRequest.newBuilder().setContainerId(container).build());
  }

  /** Kills a container's processes. */
  public void stop(String container) {
    var _ =
        pods.stub()
            .stopContainer(StopContainerRequest.newBuilder().setContainerId(container).build());
  }

  /** Removes a container that has ended. */
  public void remove(String container) {
    var _ =
        pods.stub()
            .removeContainer(RemoveContainerRequest.newBuilder().setContainerId(container).build());
  }

  /** Waits until a container has ended, and says how. */
  public int awaitEnd(String container) throws IOException {
    Waiting.until(
        "container " + container + " to end",
        () -> status(container).getState() == ContainerState.CONTAINER_EXITED);
    return status(container).getExitCode();
  }

  private ContainerStatus status(String container) {
    return pods.stub()
        .containerStatus(ContainerStatusRequest.newBuilder().setContainerId(container).build())
        .getStatus();
  }

  /** What a container has written so far, line by line. */
  public List<String> log(String name) throws IOException {
    Path file = Path.of(config.getLogDirectory(), name + ".log");
    // Each line begins with when, where to, and whether it is whole.
    return Files.exists(file)
        ? Files.readAllLines(file).stream().map(line -> line.split(" ", 4)[3]).toList()
        : List.of();
  }

  /** When a container has written its first line; it has to have written one. */
  public Instant firstWritten(String name) throws IOException {
    Path file = Path.of(config.getLogDirectory(), name + ".log");
    return OffsetDateTime.parse(Files.readAllLines(file).getFirst().split(" ", 2)[0]).toInstant();
  }

  /** Waits until a container has written a line that begins so, and says what follows it there. */
  public String awaitLine(String name, String start) throws IOException {
    Waiting.until(
        name + " to write a line that begins with \"" + start + "\"",
        () -> log(name).stream().anyMatch(line -> line.startsWith(start)));
    return log(name).stream()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .orElseThrow()
        .substring(start.length())
        .strip();
  }

  /** Stops the sandbox and all in it, and leaves it there. */
  public void stop() {
    var _ =
        pods.stub().stopPodSandbox(StopPodSandboxRequest.newBuilder().setPodSandboxId(id).build());
  }

  /** Ends and removes all containers, the sandbox and the group. */
  public void remove() throws IOException {
    stop();
    var _ =
        pods.stub()
            .removePodSandbox(RemovePodSandboxRequest.newBuilder().setPodSandboxId(id).build());
    pods.groups().remove(group());
  }
}
