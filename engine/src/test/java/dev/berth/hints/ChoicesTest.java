package dev.berth.hints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.NodeSet;
import dev.berth.topology.Distances;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Choices of named sets count as steps, and a search that ends early still tells no untruth. */
class ChoicesTest {
  private static final long SEED = 20261119;

  private final Random random = new Random(SEED);

  private static Nodes nodes(int count) {
    int[] ids = IntStream.range(0, count).toArray();
    return Nodes.of(NodeSet.of(ids), Distances.unknown(ids));
  }

  private NodeSet set(int nodes) {
    NodeSet set = NodeSet.of(random.nextInt(nodes));
    for (int node = 0; node < nodes; node++) {
      set = random.nextInt(3) > 0 ? set.union(NodeSet.of(node)) : set;
    }
    return set;
  }

  private List<List<NodeSet>> lists(int nodes, int providers, int hints) {
    List<List<NodeSet>> lists = new ArrayList<>();
    for (int provider = 0; provider < providers; provider++) {
      List<NodeSet> list = new ArrayList<>();
      for (int hint = 0; hint < hints; hint++) {
        list.add(set(nodes));
      }
      lists.add(list);
    }
    return lists;
  }

  private static List<Offer> offers(Nodes nodes, List<List<NodeSet>> lists) {
    return lists.stream()
        .map(list ->
            Offer.listed(
                nodes, list.stream().map(set -> new Hint(Affinity.to(set), false)).toList()))
        .toList();
  }

  private static Set<NodeSet> meetings(Nodes nodes, List<List<NodeSet>> lists) {
    Set<NodeSet> meetings = Set.of(nodes.all());
    for (List<NodeSet> list : lists) {
      Set<NodeSet> next = new HashSet<>();
      meetings.forEach(left -> list.forEach(set -> next.add(left.intersection(set))));
      meetings = next;
    }
    return meetings;
  }

  @Test
  void listsMeetTheBoundToo() {
    Nodes nodes = nodes(17);
    List<List<NodeSet>> lists = lists(17, 3, 15);
    Merged hasty = new Merger(nodes, TieBreak.LOWEST, 2).merge(offers(nodes, lists));
    assertThat(hasty.bounded()).isTrue();
    Merged patient = new Merger(nodes, TieBreak.LOWEST).merge(offers(nodes, lists));
    assertThat(patient.bounded()).isFalse();
  }

  /** Whatever the number of steps, the answer is a set in which some of the lists' sets meet. */
  @Test
  void aBoundedAnswerIsAMeetingOfNamedSetsOrAllNodes() {
    int bounded = 0;
    for (int round = 0; round < 300; round++) {
      Nodes nodes = nodes(17 + random.nextInt(60));
      List<List<NodeSet>> lists =
          lists(nodes.size(), 1 + random.nextInt(3), 1 + random.nextInt(12));
      int steps = 1 + random.nextInt(2);
      Merged merged = new Merger(nodes, TieBreak.CLOSEST, steps).merge(offers(nodes, lists));
      Merged exact = new Merger(nodes, TieBreak.CLOSEST).merge(offers(nodes, lists));
      assertThat(exact.bounded()).as("round %d", round).isFalse();
      if (merged.bounded()) {
        bounded++;
        NodeSet answer = ((Affinity.To) merged.affinity()).nodes();
        assertThat(answer.equals(nodes.all()) || meetings(nodes, lists).contains(answer)).isTrue();
      } else {
        assertThat(merged).as("round %d", round).isEqualTo(exact);
      }
    }
    assertThat(bounded).isGreaterThan(30);
  }

  /**
   * Each cover keeps all of its nodes: what is left then is an intersection that needs no search.
   */
  @Test
  void withoutAStepLeftTheAnswerIsWhereTheCoversKeepAll() {
    Nodes nodes = nodes(20);
    NodeSet low = NodeSet.of(IntStream.range(0, 12).toArray());
    NodeSet high = NodeSet.of(IntStream.range(8, 20).toArray());
    List<Offer> offers =
        List.of(family(nodes, low), family(nodes, high), Offer.listed(nodes, List.of(hint(low))));
    long[] found = new ReachableSearch(nodes, TieBreak.LOWEST, new Budget(1)).find(offers);
    assertThat(nodes.set(found)).isEqualTo(NodeSet.of(8, 9, 10, 11));
  }

  private static Hint hint(NodeSet set) {
    return new Hint(Affinity.to(set), false);
  }

  private static Offer family(Nodes nodes, NodeSet universe) {
    long[] ones = new long[nodes.size()];
    Arrays.fill(ones, 1);
    return Offer.family(Cover.of(nodes, universe, Demand.atLeast(3, ones)), Preference.ofSize(1));
  }

  @Test
  void aWalkLooksAtSoManyMeetingsAndSaysWhenItLeftSomeOut() {
    Choices all = Choices.ofAll(4);
    long[][] named = {{0b0011}, {0b0110}, {0b1100}, {0b0011}};
    Choices.Walked first = all.walk(named, false, List.of(), 100);
    assertThat(first.complete()).isTrue();
    assertThat(first.choices().count()).isEqualTo(3);
    Choices.Walked second = first.choices().walk(named, true, List.of(), 4);
    assertThat(second.complete()).isFalse();
    assertThat(
            IntStream.range(0, second.choices().count())
                .mapToLong(index -> second.choices().left(index)[0]))
        .as("what the first choice meets in")
        .containsExactly(0b0011L, 0b0010L);
  }
}
