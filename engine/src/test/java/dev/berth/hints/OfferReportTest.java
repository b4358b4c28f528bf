package dev.berth.hints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.NodeSet;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OfferReportTest {
  private static final Nodes NODES = EvenNodes.of(4);

  @Test
  void namesTheNodesOfEachAndThatTheyDoNotMeet() {
    OfferReport why =
        OfferReport.of(NODES, List.of(cpus(8, 6, 16, 2, 9), card(0, 2), anything("memory")));
    assertThat(why.lines())
        .containsExactly(
            "cpu: fits on one of the nodes 1,3",
            "card: fits on one of the nodes 0,2",
            "memory: no preference",
            "these do not meet: cpu on 1,3, card on 0,2");
    assertThat(why.clashes().getFirst().isAboutWidth()).isFalse();
  }

  @Test
  void tellsDifferentWidthsFromDifferentPlaces() {
    Cover wide = Cover.of(NODES, NODES.all(), Demand.atLeast(20, 16, 16, 16, 16));
    ResourceOffer memory = new ResourceOffer("memory", Offer.family(wide, Preference.ofSize(2)));
    OfferReport why = OfferReport.of(NODES, List.of(cpus(8, 16, 16, 16, 16), memory));
    assertThat(why.lines())
        .endsWith("these want different numbers of nodes: cpu 1 node, memory 2 nodes");
  }

  @Test
  void aResourceThatIsTooScatteredClashesWithNobodyElse() {
    OfferReport why = OfferReport.of(NODES, List.of(cpus(8, 4, 4, 4, 4), card(1)));
    assertThat(why.lines())
        .containsExactly(
            "cpu: needs at least 2 nodes, more nodes than an empty machine would need",
            "card: fits on node 1");
    assertThat(why.clashes()).hasSize(1);
    assertThat(why.clashes().getFirst().parts().getFirst().resource()).isEqualTo("cpu");
  }

  @Test
  void nothingIsToldApartWhereAllMeet() {
    OfferReport why = OfferReport.of(NODES, List.of(cpus(8, 16, 16, 0, 0), card(1)));
    assertThat(why.clashes()).isEmpty();
    assertThat(why.lines()).hasSize(2);
  }

  @Test
  void threeMayClashWhereAnyTwoOfThemMeet() {
    OfferReport why =
        OfferReport.of(NODES, List.of(card("a", 0, 1), card("b", 1, 2), card("c", 0, 2)));
    assertThat(why.lines()).endsWith("these do not meet: a on 0-1, b on 1-2, c on 0,2");
  }

  @Test
  void anImpossibleResourceIsSaidToBeSo() {
    OfferReport why = OfferReport.of(NODES, List.of(new ResourceOffer("card", Offer.IMPOSSIBLE)));
    assertThat(why.lines()).containsExactly("card: cannot be given on any nodes");
    assertThat(why.clashes()).hasSize(1);
  }

  private static ResourceOffer cpus(int request, long... free) {
    Cover enough = Cover.of(NODES, NODES.all(), Demand.atLeast(request, free));
    return new ResourceOffer("cpu", Offer.family(enough, Preference.ofSize(1)));
  }

  private static ResourceOffer card(int... places) {
    return card("card", places);
  }

  private static ResourceOffer card(String name, int... places) {
    List<Hint> hints =
        Arrays.stream(places)
            .mapToObj(node -> new Hint(Affinity.to(NodeSet.of(node)), true))
            .toList();
    return new ResourceOffer(name, Offer.listed(NODES, hints));
  }

  private static ResourceOffer anything(String name) {
    return new ResourceOffer(name, Offer.ANYTHING);
  }
}
