package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hints.Hint;
import dev.berth.hints.Nodes;
import dev.berth.topology.Machines;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergeWorkloadsTest {
  private static final Nodes FOUR = Nodes.of(Machines.parse("pack:2 node:2 core:1 pu:1"));

  @Test
  void listsAreInTheOrderOfKubernetesOwnProviders() {
    assertThat(MergeWorkloads.hints(FOUR, 0).stream().map(hint -> hint.affinity().toString()))
        .containsExactly(
            "0", "1", "2", "3", "0-1", "0,2", "0,3", "1-2", "1,3", "2-3", "0-2", "0-1,3", "0,2-3",
            "1-3", "0-3");
  }

  @Test
  void providersTakeTurnsInPreferringSingleNodesAndPairs() {
    assertThat(preferred(0)).isEqualTo(preferred(2)).hasSize(4);
    assertThat(preferred(1)).isEqualTo(preferred(3)).hasSize(6);
  }

  private static List<Hint> preferred(int provider) {
    return MergeWorkloads.hints(FOUR, provider).stream().filter(Hint::preferred).toList();
  }
}
