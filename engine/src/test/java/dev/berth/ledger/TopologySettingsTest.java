package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologySettingsTest {
  private static final Machine MACHINE = Machines.named("grace-blackwell");

  private static Node start(Policy policy, Map<String, String> options) {
    return Node.start(
        MACHINE,
        Configuration.staticPolicy(Quantity.of(2))
            .with(new TopologySettings(policy, Scope.CONTAINER, options)));
  }

  /** 34 NUMA nodes, where Kubernetes does not start by itself and does not end if told to. */
  @ParameterizedTest
  @ValueSource(strings = {"8", "64", "1024"})
  void theLimitOnNumaNodesIsAcceptedAndNotNeeded(String limit) {
    Node node = start(Policy.RESTRICTED, Map.of("max-allowable-numa-nodes", limit));
    assertThat(node.admit(Pod.guaranteed("p", 8))).isInstanceOf(Decision.Granted.class);
    assertThat(start(Policy.RESTRICTED, Map.of()).admit(Pod.guaranteed("p", 8)))
        .isInstanceOf(Decision.Granted.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          max-allowable-numa-nodes | 7 | max-allowable-numa-nodes: expected a number from 8, found "7"
          max-allowable-numa-nodes | -1 | max-allowable-numa-nodes: expected a number from 8, found "-1"
          prefer-closest-numa-nodes | maybe | prefer-closest-numa-nodes: expected true or false, found "maybe"
          closest | true | expected prefer-closest-numa-nodes or max-allowable-numa-nodes, found "closest"
          """)
  void anImpossibleOptionDoesNotStart(String name, String value, String expected) {
    assertThatThrownBy(() -> start(Policy.BEST_EFFORT, Map.of(name, value)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("topologyManagerPolicyOptions: " + expected);
  }

  @Test
  void underPolicyNoneOptionsAreNotRead() {
    assertThat(start(Policy.NONE, Map.of("closest", "true")).reserved().size()).isEqualTo(2);
  }
}
