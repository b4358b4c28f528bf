package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.guest.Allowance;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestRequest;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerUpdate;
import dev.berth.protocols.nri.HugepageLimit;
import dev.berth.protocols.nri.LinuxCPU;
import dev.berth.protocols.nri.LinuxContainerUpdate;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.OptionalInt64;
import dev.berth.protocols.nri.PodSandbox;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Containers and their places in NRI's words. */
final class NriMessages {
  private NriMessages() {}

  /**
   * What a runtime is to do.
   *
   * @param anyway whether one that cannot be changed holds up nothing else; nobody tells then
   */
  static List<ContainerUpdate> updates(List<Place> places, boolean anyway) {
    return places.stream()
        .map(place ->
            ContainerUpdate.newBuilder()
                .setContainerId(place.id())
                .setLinux(LinuxContainerUpdate.newBuilder().setResources(resources(place)))
                .setIgnoreFailure(anyway)
                .build())
        .toList();
  }

  static LinuxResources resources(Place place) {
    LinuxCPU.Builder cpu = LinuxCPU.newBuilder();
    place.cpus().ifPresent(cpus -> cpu.setCpus(cpus.toString()));
    place.mems().ifPresent(mems -> cpu.setMems(mems.toString()));
    place.quota().ifPresent(quota -> cpu.setQuota(OptionalInt64.newBuilder().setValue(quota)));
    return LinuxResources.newBuilder().setCpu(cpu).build();
  }

  static String uid(PodSandbox pod) {
    return uid(pod.getUid(), pod.getId());
  }

  /** What a pod is known by: outside Kubernetes it may have no uid. */
  static String uid(String uid, String id) {
    return uid.isEmpty() ? id : uid;
  }

  static GuestContainer guest(PodSandbox pod, Container container) {
    LinuxResources resources = container.getLinux().getResources();
    SortedMap<String, Long> hugepages = new TreeMap<>();
    for (HugepageLimit limit : resources.getHugepageLimitsList()) {
      hugepages.put(limit.getPageSize(), limit.getLimit());
    }
    LinuxCPU cpu = resources.getCpu();
    return new GuestContainer(
        uid(pod),
        pod.getNamespace(),
        pod.getName(),
        container.getName(),
        container.getId(),
        pod.getId(),
        pod.getLinux().getCgroupParent(),
        asked(pod, container.getName()),
        new Allowance(
            cpu.getShares().getValue(),
            cpu.getQuota().getValue(),
            cpu.getPeriod().getValue(),
            resources.getMemory().getLimit().getValue(),
            hugepages));
  }

  /** The only annotation that counts; others are not even made into a map. */
  private static SortedMap<String, String> asked(PodSandbox pod, String container) {
    SortedMap<String, String> asked = new TreeMap<>();
    String key = GuestRequest.ANNOTATION + container;
    String text = pod.getAnnotationsOrDefault(key, "");
    if (!text.isEmpty()) {
      asked.put(key, text);
    }
    return asked;
  }

  /**
   * Where the runtime has a container, by its own record. Only a quota that limits nothing may be
   * ours; any other is left to whoever set it.
   */
  static Place reported(Container container) {
    LinuxCPU cpu = container.getLinux().getResources().getCpu();
    NodeSet mems = NodeSet.parse(cpu.getMems());
    CpuSet cpus = CpuSet.parse(cpu.getCpus());
    return new Place(
        container.getId(),
        cpus.isEmpty() ? Optional.empty() : Optional.of(cpus),
        mems.isEmpty() ? Optional.empty() : Optional.of(mems),
        cpu.getQuota().getValue() < 0 ? OptionalLong.of(-1) : OptionalLong.empty(),
        false);
  }
}
