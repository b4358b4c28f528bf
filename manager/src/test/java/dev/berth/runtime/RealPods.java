package dev.berth.runtime;

import dev.berth.protocols.cri.LinuxPodSandboxConfig;
import dev.berth.protocols.cri.LinuxSandboxSecurityContext;
import dev.berth.protocols.cri.NamespaceMode;
import dev.berth.protocols.cri.NamespaceOption;
import dev.berth.protocols.cri.PodSandboxConfig;
import dev.berth.protocols.cri.PodSandboxMetadata;
import dev.berth.protocols.cri.RunPodSandboxRequest;
import dev.berth.protocols.cri.RuntimeServiceGrpc;
import dev.berth.protocols.cri.RuntimeServiceGrpc.RuntimeServiceBlockingStub;
import dev.berth.workload.QosClass;
import io.grpc.Channel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Starts pods as a kubelet does: a group, a sandbox in it on the node's network, containers in
 * that. What the runtime refuses is thrown as gRPC's {@code StatusRuntimeException}, with its
 * words.
 */
public final class RealPods {
  private static final String NAMESPACE = "default";
  private static final long LONGEST_SECONDS = 120;

  private final Channel channel;
  private final NodeGroups groups;
  private final Path logs;

  RealPods(Channel channel, NodeGroups groups, Path logs) {
    this.channel = channel;
    this.groups = groups;
    this.logs = logs;
  }

  /** Runs the sandbox of a new pod. */
  public RealPod run(String name, QosClass qos) throws IOException {
    return run(name, qos, Map.of());
  }

  /** Runs the sandbox of a new pod with annotations. */
  public RealPod run(String name, QosClass qos, Map<String, String> annotations)
      throws IOException {
    String uid = UUID.randomUUID().toString();
    PodSandboxConfig config =
        PodSandboxConfig.newBuilder()
            .setMetadata(
                PodSandboxMetadata.newBuilder().setName(name).setUid(uid).setNamespace(NAMESPACE))
            .setLogDirectory(Files.createDirectories(logs.resolve(uid)).toString())
            .putLabels("io.kubernetes.pod.name", name)
            .putLabels("io.kubernetes.pod.namespace", NAMESPACE)
            .putLabels("io.kubernetes.pod.uid", uid)
            .putAllAnnotations(annotations)
            .setLinux(
                LinuxPodSandboxConfig.newBuilder()
                    .setCgroupParent(groups.makePod(qos, uid))
                    .setSecurityContext(
                        LinuxSandboxSecurityContext.newBuilder()
                            .setNamespaceOptions(hostNetwork())))
            .build();
    String id =
        stub()
            .runPodSandbox(RunPodSandboxRequest.newBuilder().setConfig(config).build())
            .getPodSandboxId();
    return new RealPod(this, id, qos, config);
  }

  static NamespaceOption hostNetwork() {
    return NamespaceOption.newBuilder().setNetwork(NamespaceMode.NODE).build();
  }

  NodeGroups groups() {
    return groups;
  }

  /** Calls with a deadline that begins now. A runtime that was restarted is found again. */
  RuntimeServiceBlockingStub stub() {
    return RuntimeServiceGrpc.newBlockingStub(channel)
        .withWaitForReady()
        .withDeadlineAfter(LONGEST_SECONDS, TimeUnit.SECONDS);
  }
}
