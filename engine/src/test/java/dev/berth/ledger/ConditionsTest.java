package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final Machine SMALL = Machines.parse("pack:1 node:1 core:4 pu:1");
  private static final Conditions PLAIN = new Conditions(false, false, true, Set.of());
  private static final String GPU = "vendor.example/gpu";

  private static Pod asking(String resource, String amount) {
    return Pod.of(
        "p",
        List.of(
            new Container(
                "app",
                Role.APP,
                Resources.guaranteed(
                    Map.of(
                        Resources.CPU,
                        Quantity.of(1),
                        Resources.MEMORY,
                        Quantity.of(1 << 20),
                        resource,
                        Quantity.parse(amount))))));
  }

  private static Node after(Pod pod) {
    Node node = Node.start(SMALL, Configuration.staticPolicy(Quantity.of(1)));
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
    return node;
  }

  @Test
  void refusesDevicesThatNobodyHas() {
    Pod pod = asking(GPU, "2");
    assertThat(PLAIN.against(pod, after(pod)))
        .contains(
            new Objection(
                "UnexpectedAdmissionError",
                "device plugin of vendor.example/gpu: expected one that is connected, found none"));
    assertThat(new Conditions(false, false, true, Set.of(GPU)).against(pod, after(pod))).isEmpty();
    Pod none = asking(GPU, "0");
    assertThat(PLAIN.against(none, after(none))).isEmpty();
  }

  @Test
  void refusesHugepagesWhereTheirLimitWouldNotHold() {
    Pod pod = asking("hugepages-2Mi", "4Mi");
    assertThat(PLAIN.against(pod, after(pod))).isEmpty();
    assertThat(new Conditions(false, false, false, Set.of()).against(pod, after(pod)))
        .map(Objection::reason)
        .contains("Unsupported");
  }

  @Test
  void takesTheLastSharedCpuFromNobodyThatRunsOnIt() {
    Node node =
        Node.start(
            SMALL,
            Configuration.staticPolicy(Quantity.of(1))
                .withOption("strict-cpu-reservation", "true"));
    Pod pod = Pod.guaranteed("all", 3);
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
    assertThat(node.shared().isEmpty()).isTrue();
    assertThat(Conditions.emptied(pod, node, false, false)).isEmpty();
    assertThat(Conditions.emptied(pod, node, true, true)).isEmpty();
    assertThat(Conditions.emptied(pod, node, true, false))
        .map(Objection::reason)
        .contains("EmptySharedPool");
    Pod shares =
        Pod.of("s", List.of(new Container("app", Role.APP, new Resources(Map.of(), Map.of()))));
    assertThat(Conditions.emptied(shares, node, false, true))
        .isEqualTo(
            Optional.of(
                new Objection(
                    "EmptySharedPool",
                    "the shared pool is empty, so there is no CPU for it to run on")));
  }
}
