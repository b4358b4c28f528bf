package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WhySharedTest {
  private static final Configuration STATIC = Configuration.staticPolicy(Quantity.of(1));

  private static Map<String, Quantity> read(String amounts) {
    Map<String, Quantity> read = new HashMap<>();
    Matcher each = Pattern.compile("(\\S+)=(\\S+)").matcher(amounts);
    while (each.find()) {
      read.put(each.group(1), Quantity.parse(each.group(2)));
    }
    return read;
  }

  private static Container container(String name, Role role, String requests, String limits) {
    return new Container(name, role, new Resources(read(requests), read(limits)));
  }

  private static Container firm(String name, String amounts) {
    return container(name, Role.APP, amounts, amounts);
  }

  private static Optional<String> line(Container... containers) {
    return WhyShared.of(Pod.of("p", List.of(containers)), STATIC)
        .map(why -> why.line("shared pool 0,4-7"));
  }

  @Test
  void namesTheSidecarWithoutLimits() {
    assertThat(line(container("log", Role.SIDECAR, "", ""), firm("app", "cpu=16 memory=1Gi")))
        .contains(
            "container app requests 16 CPUs and gets no exclusive ones, it runs on the shared pool"
                + " 0,4-7: spec.initContainers[log].resources.limits.cpu is not set; only a pod"
                + " whose containers all limit cpu and memory gets exclusive CPUs");
  }

  @Test
  void namesAFractionInAGuaranteedPod() {
    assertThat(line(firm("app", "cpu=1500m memory=1Gi"), firm("db", "cpu=2 memory=1Gi")))
        .contains(
            "container app requests 1.5 CPUs and gets no exclusive ones, it runs on the shared"
                + " pool 0,4-7: spec.containers[app].resources.limits.cpu is 1.5; set a whole"
                + " number");
    assertThat(line(firm("app", "cpu=500m memory=1Gi"))).get().asString().contains("is 0.5; set");
    assertThat(line(firm("log", "cpu=100m memory=1Gi"), firm("db", "cpu=2 memory=1Gi"))).isEmpty();
  }

  @Test
  void namesRequestsThatDifferFromLimits() {
    assertThat(line(container("app", Role.APP, "cpu=2 memory=1Gi", "cpu=4 memory=1Gi")))
        .get()
        .asString()
        .endsWith(
            "spec.containers[app].resources.limits.cpu is 4 and requests.cpu is 2; set both to the"
                + " same");
    assertThat(line(container("app", Role.APP, "cpu=2 memory=1Gi", "cpu=2 memory=2Gi")))
        .get()
        .asString()
        .contains("limits.memory is 2Gi and requests.memory is 1Gi");
    assertThat(line(container("app", Role.APP, "cpu=2 memory=1Gi", "memory=1Gi")))
        .get()
        .asString()
        .contains("spec.containers[app].resources.limits.cpu is not set");
  }

  @Test
  void saysNothingWhereNobodyIsSurprised() {
    assertThat(line(firm("app", "cpu=2 memory=1Gi"))).isEmpty();
    assertThat(line(container("web", Role.APP, "cpu=500m memory=1Gi", ""))).isEmpty();
    assertThat(line(container("any", Role.APP, "", ""))).isEmpty();
    Pod pod = Pod.of("p", List.of(firm("app", "cpu=1500m memory=1Gi")));
    assertThat(WhyShared.of(pod, STATIC.with(CpuPolicy.NONE))).isEmpty();
  }

  @Test
  void namesTheGateOfPodsWithABudget() {
    Pod pod =
        Pod.of(
            "p",
            List.of(firm("app", "cpu=2 memory=1Gi")),
            Optional.of(Resources.guaranteed(read("cpu=2 memory=1Gi"))));
    assertThat(WhyShared.of(pod, STATIC).orElseThrow().cure()).contains("PodLevelResourceManagers");
    Configuration on =
        STATIC.with(FeatureGates.DEFAULTS.with(Gate.POD_LEVEL_RESOURCE_MANAGERS, true));
    assertThat(WhyShared.of(pod, on)).isEmpty();
  }

  @Test
  void tellsOnlyWhatIsKnownOfAPart() {
    Pod part = Pod.of("p", List.of(container("app", Role.APP, "cpu=4", "cpu=4")));
    assertThat(WhyShared.ofPart(part, STATIC).orElseThrow().cure())
        .startsWith("its pod is Burstable; set limits.cpu and limits.memory in every container");
  }

  /** Whoever is told gets no CPUs; and following the advice until it ends brings some. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void onlyThoseAreToldWhoGetNone(long seed) {
    Machine machine = Machines.parse("pack:1 node:1(memory=64GiB) core:64 pu:1");
    Random random = new Random(seed);
    String[] amounts = {"", "cpu=2", "cpu=2 memory=1Gi", "cpu=1500m memory=1Gi", "memory=1Gi"};
    for (int run = 0; run < 200; run++) {
      List<Container> containers = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        String limits = amounts[random.nextInt(amounts.length)];
        // What is not requested is requested as it is limited, as a reader of pods has it.
        String requests = limits + " " + (random.nextBoolean() ? "cpu=1" : "");
        containers.add(container("c" + i, Role.APP, requests, limits));
      }
      Pod pod = Pod.of("p", containers);
      Node node = Node.start(machine, STATIC);
      assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
      Optional<WhyShared> why = WhyShared.of(pod, STATIC);
      why.ifPresent(one ->
          assertThat(node.cpusOf("p", one.container())).as("seed %d: %s", seed, one).isEmpty());
      boolean asked =
          containers.stream()
              .anyMatch(one -> one.resources().limit(Resources.CPU).compareTo(Quantity.of(1)) >= 0);
      if (asked && pod.qosClass() != QosClass.GUARANTEED) {
        assertThat(why).as("seed %d: %s", seed, containers).isPresent();
      }
    }
  }
}
