package dev.berth.agent;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.guest.Allowance;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestReading;
import dev.berth.guest.GuestRequest;
import dev.berth.nri.Creation;
import dev.berth.protobuf.FieldWriter;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerAdjustment;
import dev.berth.protocols.nri.ContainerUpdate;
import dev.berth.protocols.nri.HugepageLimit;
import dev.berth.protocols.nri.LinuxCPU;
import dev.berth.protocols.nri.LinuxContainerUpdate;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.OptionalInt64;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.workload.CpuWish;
import java.util.ArrayList;
import java.util.Collections;
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

  /**
   * The answer to a creation. Written by hand, since whoever creates the container waits.
   *
   * @param handed what plugins hand to it
   * @param others who has to move before it starts
   */
  static byte[] answer(Place place, ContainerAdjustment handed, List<Place> others) {
    FieldWriter answer = new FieldWriter();
    if (!handed.equals(ContainerAdjustment.getDefaultInstance())) {
      // A message that comes twice is one.
      answer.add(1, handed.toByteArray());
    }
    answer.message(1, linux(6, 2, place));
    for (Place other : others) {
      answer.message(
          2, new FieldWriter().text(1, other.id()).append(linux(2, 1, other)).number(3, 1));
    }
    return answer.toBytes();
  }

  /**
   * Resources in the part of a message that is about Linux.
   *
   * @param part the number of that part
   * @param resources the number of the resources in there
   */
  private static FieldWriter linux(int part, int resources, Place place) {
    FieldWriter cpu = new FieldWriter();
    if (place.quota().isPresent()) {
      cpu.message(2, new FieldWriter().number(1, place.quota().getAsLong()));
    }
    place.cpus().ifPresent(cpus -> cpu.text(6, cpus.toString()));
    place.mems().ifPresent(mems -> cpu.text(7, mems.toString()));
    return new FieldWriter()
        .message(part, new FieldWriter().message(resources, new FieldWriter().message(2, cpu)));
  }

  private static LinuxResources resources(Place place) {
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

  /** A container that is there already. */
  static GuestReading guest(PodSandbox pod, Container container) {
    LinuxResources resources = container.getLinux().getResources();
    SortedMap<String, Long> hugepages = new TreeMap<>();
    for (HugepageLimit limit : resources.getHugepageLimitsList()) {
      hugepages.put(limit.getPageSize(), limit.getLimit());
    }
    LinuxCPU cpu = resources.getCpu();
    return GuestReading.of(
        (annotations, pages) ->
            new GuestContainer(
                uid(pod),
                pod.getNamespace(),
                pod.getName(),
                container.getName(),
                container.getId(),
                pod.getId(),
                pod.getLinux().getCgroupParent(),
                annotations,
                new Allowance(
                    cpu.getShares().getValue(),
                    cpu.getQuota().getValue(),
                    cpu.getPeriod().getValue(),
                    resources.getMemory().getLimit().getValue(),
                    pages)),
        asked(pod, container.getName()),
        hugepages);
  }

  /**
   * The same of one that is about to be created.
   *
   * @throws InvalidProtocolBufferException where an annotation that counts is no text
   */
  static GuestContainer guest(Creation creation) throws InvalidProtocolBufferException {
    SortedMap<String, String> asked = Collections.emptySortedMap();
    for (String key : counting(creation.name())) {
      String text = creation.annotation(key);
      if (!text.isEmpty()) {
        asked = asked.isEmpty() ? new TreeMap<>() : asked;
        asked.put(key, text);
      }
    }
    return new GuestContainer(
        uid(creation.podUid(), creation.podId()),
        creation.namespace(),
        creation.podName(),
        creation.name(),
        creation.id(),
        creation.podId(),
        creation.cgroupParent(),
        asked,
        new Allowance(
            creation.shares(),
            creation.quota(),
            creation.period(),
            creation.memory(),
            creation.hugepages()));
  }

  private static List<String> counting(String container) {
    List<String> counting = new ArrayList<>(List.of(GuestRequest.ANNOTATION + container));
    for (CpuWish wish : CpuWish.values()) {
      counting.add(wish.annotation());
    }
    return counting;
  }

  /** The annotations that count; others are not even made into a map. */
  private static SortedMap<String, String> asked(PodSandbox pod, String container) {
    SortedMap<String, String> asked = new TreeMap<>();
    for (String key : counting(container)) {
      String text = pod.getAnnotationsOrDefault(key, "");
      if (!text.isEmpty()) {
        asked.put(key, text);
      }
    }
    return asked;
  }

  /**
   * Where the runtime has a container, by its own record; nowhere where that cannot be read, so
   * that it is told. Only a quota that limits nothing may be ours; any other is left to whoever set
   * it.
   */
  static Place reported(Container container) {
    LinuxCPU cpu = container.getLinux().getResources().getCpu();
    Optional<CpuSet> cpus = Optional.empty();
    Optional<NodeSet> mems = Optional.empty();
    try {
      cpus = Optional.of(CpuSet.parse(cpu.getCpus())).filter(set -> !set.isEmpty());
      mems = Optional.of(NodeSet.parse(cpu.getMems())).filter(set -> !set.isEmpty());
    } catch (InvalidInputException e) {
      // Of a record that is wrong in one thing nothing is believed.
      cpus = Optional.empty();
    }
    return new Place(
        container.getId(),
        cpus,
        mems,
        cpu.getQuota().getValue() < 0 ? OptionalLong.of(-1) : OptionalLong.empty(),
        false);
  }
}
