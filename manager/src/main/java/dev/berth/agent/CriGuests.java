package dev.berth.agent;

import dev.berth.agent.Reunion.Listed;
import dev.berth.cri.ContainerDetail;
import dev.berth.cri.CriPod;
import dev.berth.cri.CriResources;
import dev.berth.cri.CriState;
import dev.berth.cri.PodDetail;
import dev.berth.guest.Allowance;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestReading;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Containers and their places, from CRI's words and into them. */
final class CriGuests {
  private CriGuests() {}

  /**
   * A container as the agent sees it.
   *
   * @throws dev.berth.cpu.InvalidInputException where it could not be told from another
   */
  static Listed listed(PodDetail detail, ContainerDetail container) {
    CriPod pod = detail.pod();
    CriResources resources = container.resources().orElse(CriResources.NOTHING);
    GuestReading reading =
        GuestReading.of(
            (annotations, hugepages) ->
                new GuestContainer(
                    pod.uid().isEmpty() ? pod.id() : pod.uid(),
                    pod.namespace(),
                    pod.name(),
                    container.name(),
                    container.id(),
                    pod.id(),
                    detail.cgroupParent().orElse(""),
                    annotations,
                    new Allowance(
                        resources.shares().orElse(0),
                        resources.quota().orElse(0),
                        resources.period().orElse(0),
                        resources.memoryLimit().orElse(0),
                        hugepages)),
            new TreeMap<>(pod.annotations()),
            resources.hugepages());
    return new Listed(
        reading,
        container.state() != CriState.EXITED,
        code(container),
        container.pid().orElse(0),
        reported(container.id(), resources));
  }

  /** How a container ended, if it has. */
  static OptionalInt code(ContainerDetail container) {
    return container.state() == CriState.EXITED
        ? OptionalInt.of(container.exitCode())
        : OptionalInt.empty();
  }

  /**
   * Where the runtime has a container, by its own record. Only a quota that limits nothing may be
   * ours; any other is left to whoever set it.
   */
  private static Place reported(String id, CriResources resources) {
    OptionalLong quota = resources.quota();
    boolean unlimited = quota.isPresent() && quota.getAsLong() == CriResources.UNLIMITED;
    return new Place(
        id,
        resources.cpus(),
        resources.memoryNodes(),
        unlimited ? quota : OptionalLong.empty(),
        false);
  }

  /** What the runtime has to change so that a container is in its place. */
  static CriResources resources(Place place) {
    CriResources resources = CriResources.NOTHING;
    if (place.cpus().isPresent()) {
      resources = resources.withCpus(place.cpus().get());
    }
    if (place.mems().isPresent()) {
      resources = resources.withMemoryNodes(place.mems().get());
    }
    return place.quota().isPresent() ? resources.withQuota(place.quota().getAsLong()) : resources;
  }
}
