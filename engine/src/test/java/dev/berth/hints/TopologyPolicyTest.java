package dev.berth.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.topology.Distances;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyPolicyTest {
  private static final Nodes TWO = EvenNodes.of(2);
  private static final Nodes FOUR = EvenNodes.of(4);
  private static final TopologyPolicy BEST_EFFORT = new BestEffort(TieBreak.LOWEST);
  private static final TopologyPolicy RESTRICTED = new Restricted(TieBreak.LOWEST);
  private static final TopologyPolicy SINGLE = new SingleNumaNode();

  @Test
  void placesCpusBesideTheCardThatHasOnlyOnePlace() {
    Cover enough = Cover.of(TWO, TWO.all(), Demand.atLeast(8, 16, 8));
    Offer cpus = Offer.family(enough, Preference.ofSize(1));
    Offer card = Offer.listed(TWO, List.of(hint(true, 1)));
    for (TopologyPolicy policy : List.of(BEST_EFFORT, RESTRICTED, SINGLE)) {
      assertThat(policy.merge(TWO, List.of(cpus, card)))
          .isEqualTo(new Merged(Affinity.to(NodeSet.of(1)), true, true, false));
    }
  }

  @Test
  void refusesWhatMeetsNowhereUnlessBestEffort() {
    Offer here = Offer.listed(TWO, List.of(hint(true, 0)));
    Offer there = Offer.listed(TWO, List.of(hint(true, 1)));
    List<Offer> offers = List.of(here, there);
    assertThat(BEST_EFFORT.merge(TWO, offers))
        .isEqualTo(new Merged(Affinity.to(NodeSet.of(0, 1)), false, true, false));
    assertThat(RESTRICTED.merge(TWO, offers).admitted()).isFalse();
    assertThat(SINGLE.merge(TWO, offers)).isEqualTo(new Merged(Affinity.ANY, false, false, false));
  }

  @Test
  void withoutAnyPreferenceRestrictedTakesAllNodesAndSingleNodeTakesAny() {
    List<Offer> offers = List.of(Offer.ANYTHING, Offer.ANYTHING);
    assertThat(RESTRICTED.merge(FOUR, offers))
        .isEqualTo(new Merged(Affinity.to(FOUR.all()), true, true, false));
    assertThat(RESTRICTED.merge(FOUR, List.of())).isEqualTo(RESTRICTED.merge(FOUR, offers));
    assertThat(SINGLE.merge(FOUR, offers)).isEqualTo(new Merged(Affinity.ANY, true, true, false));
  }

  @Test
  void anImpossibleResourceLeavesTheOthersTheirPlaceButNeverAPreferredOne() {
    Offer cpus = Offer.listed(FOUR, List.of(hint(true, 2)));
    assertThat(BEST_EFFORT.merge(FOUR, List.of(cpus, Offer.IMPOSSIBLE)))
        .isEqualTo(new Merged(Affinity.to(NodeSet.of(2)), false, true, false));
    assertThat(SINGLE.merge(FOUR, List.of(cpus, Offer.IMPOSSIBLE)).admitted()).isFalse();
    assertThat(Offer.listed(FOUR, List.of())).isEqualTo(Offer.IMPOSSIBLE);
    Cover none = Cover.of(FOUR, FOUR.all(), Demand.atLeast(9, 2, 2, 2, 2));
    assertThat(Offer.family(none, Preference.ofSize(1))).isEqualTo(Offer.IMPOSSIBLE);
  }

  @Test
  void aMachineOfOneNodeIsAnyNodeToSingleNumaNode() {
    Nodes one = EvenNodes.of(1);
    Offer cpus = Offer.family(Cover.everySet(one), Preference.ofSize(1));
    assertThat(SINGLE.merge(one, List.of(cpus)))
        .isEqualTo(new Merged(Affinity.ANY, true, true, false));
  }

  @Test
  void closestPairsWinOverLowOnes() {
    int[] ids = {0, 1, 2, 3};
    int[][] rows = {{10, 30, 30, 30}, {30, 10, 30, 12}, {30, 30, 10, 30}, {30, 12, 30, 10}};
    Nodes nodes = Nodes.of(NodeSet.of(ids), Distances.of(ids, rows));
    Cover enough = Cover.of(nodes, nodes.all(), Demand.atLeast(20, 16, 16, 16, 16));
    List<Offer> offers = List.of(Offer.family(enough, Preference.ofSize(2)));
    assertThat(new BestEffort(TieBreak.LOWEST).merge(nodes, offers).affinity())
        .isEqualTo(Affinity.to(NodeSet.of(0, 1)));
    assertThat(new BestEffort(TieBreak.CLOSEST).merge(nodes, offers).affinity())
        .isEqualTo(Affinity.to(NodeSet.of(1, 3)));
    assertThat(nodes.averageDistance(NodeSet.of(1, 3))).isEqualTo(11);
  }

  @Test
  void setsWithinTheRightNumberOfSocketsArePreferredToo() {
    Cover enough = Cover.of(FOUR, FOUR.all(), Demand.atLeast(16, 4, 16, 12, 4));
    int[][] sockets = {{0}, {0}, {1}, {1}};
    Offer needed = Offer.listed(FOUR, List.of(hint(true, 2, 3)));
    Offer bySize = Offer.family(enough, Preference.ofSize(1));
    Offer bySocket = Offer.family(enough, Preference.ofSize(1).orSockets(sockets, 1));
    assertThat(RESTRICTED.merge(FOUR, List.of(bySize, needed)).admitted()).isFalse();
    assertThat(RESTRICTED.merge(FOUR, List.of(bySocket, needed)))
        .isEqualTo(new Merged(Affinity.to(NodeSet.of(2, 3)), true, true, false));
  }

  @Test
  void devicesBetweenNodesCountForEither() {
    List<NodeSet> places = List.of(NodeSet.of(0, 1), NodeSet.of(1, 2), NodeSet.of(3));
    Cover pair = Cover.of(FOUR, FOUR.all(), Demand.devices(FOUR, 2, places));
    assertThat(pair.contains(NodeSet.of(1))).isTrue();
    assertThat(pair.contains(NodeSet.of(0, 2))).isTrue();
    assertThat(pair.contains(NodeSet.of(0))).isFalse();
    assertThat(pair.contains(NodeSet.of(7))).isFalse();
    assertThat(pair.narrowest()).isEqualTo(new Cover.Width(1, true));
  }

  @Test
  void theNarrowestCoverOfTwoDemandsMayNeedMoreThanEitherAlone() {
    Demand cpus = Demand.atLeast(8, 8, 0, 0, 4);
    Demand bytes = Demand.atLeast(8, 0, 8, 0, 4);
    assertThat(Cover.of(FOUR, FOUR.all(), cpus).narrowest().nodes()).isEqualTo(1);
    assertThat(Cover.of(FOUR, FOUR.all(), cpus, bytes).narrowest().nodes()).isEqualTo(2);
    Demand node3 = Demand.containing(FOUR, NodeSet.of(3));
    assertThat(Cover.of(FOUR, FOUR.all(), cpus, bytes, node3).narrowest().nodes()).isEqualTo(3);
    assertThat(Cover.of(FOUR, NodeSet.of(0, 2), cpus, bytes).narrowest().nodes()).isZero();
  }

  @Test
  void aGroupThatIsNamedStandsBesideTheCover() {
    Cover unused = Cover.of(FOUR, NodeSet.of(0, 1), Demand.atLeast(9, 4, 4, 8, 8));
    Offer memory = Offer.family(unused, List.of(NodeSet.of(2, 3)), Preference.ofSize(2));
    assertThat(RESTRICTED.merge(FOUR, List.of(memory, memory)))
        .isEqualTo(new Merged(Affinity.to(NodeSet.of(2, 3)), true, true, false));
  }

  @Test
  void saysWhichNodeItDoesNotKnow() {
    assertThatThrownBy(() -> Offer.listed(TWO, List.of(hint(true, 0, 5))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("hint: expected nodes among 0-1, found 5");
    assertThatThrownBy(() -> Cover.of(TWO, TWO.all(), Demand.atLeast(1, 1, 1, 1)))
        .hasMessage("demand: expected 2 weights, one a node, found 3");
    assertThatThrownBy(() -> Demand.atLeast(1, 3, -1))
        .hasMessage("weight of node number 1: expected 0 or more, found -1");
    assertThatThrownBy(() -> Nodes.of(NodeSet.EMPTY, Distances.unknown(new int[0])))
        .hasMessage("NUMA nodes: expected at least one, found none");
    List<NodeSet> empty = List.of(NodeSet.EMPTY);
    assertThatThrownBy(() -> Offer.family(Cover.everySet(TWO), empty, Preference.ofSize(1)))
        .hasMessage("set of nodes: expected at least one node, found none");
  }

  private static Hint hint(boolean preferred, int... nodes) {
    return new Hint(Affinity.to(NodeSet.of(nodes)), preferred);
  }
}
