package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.ContainerDetail;
import dev.berth.cri.CriPod;
import dev.berth.cri.CriResources;
import dev.berth.cri.CriState;
import dev.berth.cri.Labels;
import dev.berth.cri.PodDetail;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a runtime says by CRI becomes what a container asks for. */
class CriWordsTest {
  @Test
  void aGuaranteedContainerAsksForItsHugepagesToo() {
    CriPod pod = new CriPod("s1", "u1", "db", "default", true, new Labels(Map.of()), Map.of());
    CriResources resources =
        new CriResources(
            OptionalLong.of(100_000),
            OptionalLong.of(200_000),
            OptionalLong.of(2_048),
            OptionalLong.of(64 << 20),
            new TreeMap<>(Map.of("2MB", 4L << 20, "1GB", 0L)),
            Optional.empty(),
            Optional.empty());
    ContainerDetail container =
        new ContainerDetail(
            "c1",
            Optional.of("s1"),
            "app",
            CriState.RUNNING,
            new Labels(Map.of()),
            Map.of(),
            Optional.of(resources),
            OptionalLong.of(7),
            0);
    Reunion.Listed listed =
        CriGuests.listed(
            new PodDetail(pod, Optional.of("/kubepods/podu1"), OptionalLong.empty()), container);
    Resources asked = listed.request().pod().containers().getFirst().resources();
    assertThat(asked.requests())
        .isEqualTo(
            Map.of(
                "cpu", Quantity.of(2),
                "memory", Quantity.of(64 << 20),
                "hugepages-2Mi", Quantity.of(4 << 20)));
    assertThat(asked.limits()).isEqualTo(asked.requests());
  }
}
