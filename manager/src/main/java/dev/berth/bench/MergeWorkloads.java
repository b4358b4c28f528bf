package dev.berth.bench;

import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.BestEffort;
import dev.berth.hints.Cover;
import dev.berth.hints.Hint;
import dev.berth.hints.Merged;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Preference;
import dev.berth.hints.TieBreak;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Best-effort merges of providers that each offer every non-empty set of nodes, preferred where its
 * size is 1 for providers 0 and 2, and 2 for providers 1 and 3.
 *
 * <p>Up to 16 nodes the hints are lists, as Kubernetes has them; a merge reads them from their
 * beginning to their end and keeps nothing of that. Beyond, no list can hold them. There, and under
 * names that end in {@code described}, the run has what our own providers give instead of a list: a
 * description of the sets.
 */
final class MergeWorkloads {
  private static final BestEffort POLICY = new BestEffort(TieBreak.LOWEST);

  private MergeWorkloads() {}

  static Workload<Merged> ofDescriptions(String name, int count, int providers) {
    Nodes nodes = nodes(count);
    List<Offer> offers = described(nodes, providers);
    return new Workload<>(name, () -> POLICY.merge(nodes, offers), MergeWorkloads::words);
  }

  private static String words(Merged merged) {
    return "nodes " + merged.affinity() + (merged.preferred() ? ", preferred" : "");
  }

  private static Nodes nodes(int count) {
    Machine machine = RegularMachine.of(2, count / 2, 1, 1, 1);
    return Nodes.of(machine);
  }

  static Workload<Merged> ofLists(String name, int count, int providers) {
    Nodes nodes = nodes(count);
    List<Offer> offers = new ArrayList<>();
    for (int provider = 0; provider < providers; provider++) {
      offers.add(Offer.listed(nodes, hints(nodes, provider)));
    }
    return new Workload<>(name, () -> POLICY.merge(nodes, offers), MergeWorkloads::words);
  }

  /** Every set, in the order in which Kubernetes' own providers list them. */
  static List<Hint> hints(Nodes nodes, int provider) {
    return LongStream.range(1, 1L << nodes.size())
        .boxed()
        .sorted(MergeWorkloads::order)
        .map(mask -> hint(nodes, mask, provider))
        .toList();
  }

  /** Smaller sets first; of two of one size, the one with the lowest member that not both have. */
  private static int order(long one, long other) {
    int bySize = Integer.compare(Long.bitCount(one), Long.bitCount(other));
    return bySize == 0 ? Long.compareUnsigned(Long.reverse(other), Long.reverse(one)) : bySize;
  }

  private static Hint hint(Nodes nodes, long mask, int provider) {
    int[] members = new int[Long.bitCount(mask)];
    int count = 0;
    for (long rest = mask; rest != 0; rest &= rest - 1) {
      members[count++] = nodes.id(Long.numberOfTrailingZeros(rest));
    }
    return new Hint(Affinity.to(NodeSet.of(members)), count == preferredSize(provider));
  }

  private static List<Offer> described(Nodes nodes, int providers) {
    List<Offer> offers = new ArrayList<>();
    for (int provider = 0; provider < providers; provider++) {
      offers.add(Offer.family(Cover.everySet(nodes), Preference.ofSize(preferredSize(provider))));
    }
    return offers;
  }

  private static int preferredSize(int provider) {
    return 1 + provider % 2;
  }
}
