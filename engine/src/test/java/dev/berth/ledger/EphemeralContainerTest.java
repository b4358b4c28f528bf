package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Synthetic;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** KEP-693: ephemeral containers never alter hints, run shared, and are never refused. */
class EphemeralContainerTest {
  private final Node node =
      Node.start(
          Synthetic.parse("pack:1 node:2 l3:1 core:4 pu:1"),
          Configuration.staticPolicy(Quantity.of(1))
              .with(new TopologySettings(Policy.SINGLE_NUMA_NODE, Scope.CONTAINER, Map.of())));

  private final Pod pod = Pod.guaranteed("db", 4);

  @Test
  void aPodWithOneIsPlacedLikeThePodWithout() {
    Node other = Node.start(node.machine(), node.configuration());
    node.admit(pod);
    other.admit(pod.withEphemeral("debugger"));
    assertThat(other.assignments()).isEqualTo(node.assignments());
    assertThat(other.placesOf("db")).isEqualTo(node.placesOf("db"));
  }

  @Test
  void oneThatJoinsARunningPodChangesNothingHoweverFullTheMachineIs() {
    node.admit(pod);
    while (node.admit(Pod.guaranteed("p" + node.assignable(), 1)) instanceof Decision.Granted) {
      assertThat(node.rules().orElseThrow().broken(node.assignments(), List.of())).isEmpty();
    }
    Assignments before = node.assignments();
    assertThat(node.admit(pod.withEphemeral("debugger"))).isInstanceOf(Decision.Granted.class);
    assertThat(node.assignments()).isEqualTo(before);
    assertThat(node.cpusOf("db", "debugger")).isEmpty();
  }

  @Test
  void oneHasANameOfItsOwn() {
    assertThatThrownBy(() -> pod.withEphemeral("app"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("pod db: expected every container once, found app again");
  }
}
