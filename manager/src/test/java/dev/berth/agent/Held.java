package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerState;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.PodSandbox;
import java.util.function.UnaryOperator;

/** A container of a {@link ModelRuntime}, and where it is. */
final class Held {
  private final PodSandbox pod;
  private Container container;

  Held(PodSandbox pod, Container container) {
    this.pod = pod;
    this.container = container;
  }

  PodSandbox pod() {
    return pod;
  }

  Container container() {
    return container;
  }

  String id() {
    return container.getId();
  }

  String podUid() {
    return pod.getUid();
  }

  CpuSet cpus() {
    return CpuSet.parse(container.getLinux().getResources().getCpu().getCpus());
  }

  long quota() {
    return container.getLinux().getResources().getCpu().getQuota().getValue();
  }

  boolean isGuaranteed() {
    return pod.getLinux().getCgroupParent().startsWith("/kubepods/pod");
  }

  boolean isRunning() {
    return container.getState() == ContainerState.CONTAINER_RUNNING;
  }

  void change(UnaryOperator<Container.Builder> change) {
    container = change.apply(container.toBuilder()).build();
  }

  void apply(LinuxResources change) {
    LinuxResources.Builder resources = container.getLinux().getResources().toBuilder();
    resources.mergeCpu(change.getCpu());
    container =
        container.toBuilder()
            .setLinux(container.getLinux().toBuilder().setResources(resources))
            .build();
  }
}
