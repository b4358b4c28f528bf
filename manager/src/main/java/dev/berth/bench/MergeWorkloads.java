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

/**
 * Best-effort merges of providers that each offer every non-empty set of nodes, preferred where its
 * size is 1 for providers 0 and 2, and 2 for providers 1 and 3.
 *
 * <p>Up to 16 nodes the hints are lists, as Kubernetes has them; beyond, no list can hold them and
 * the engine's own form, a description of the sets, is timed. The names that end in {@code
 * from-lists} count the time in which the lists are read, too.
 */
final class MergeWorkloads {
  private static final BestEffort POLICY = new BestEffort(TieBreak.LOWEST);

  private MergeWorkloads() {}

  static void addTo(List<Workload<?>> all) {
    for (int count : new int[] {4, 8}) {
      for (int providers = 1; providers <= 4; providers++) {
        all.add(merge(name(count, providers), nodes(count), listed(nodes(count), providers)));
      }
    }
    all.add(merge(name(16, 4), nodes(16), listed(nodes(16), 4)));
    for (int count : new int[] {34, 64}) {
      all.add(merge(name(count, 4), nodes(count), described(nodes(count), 4)));
    }
    for (int count : new int[] {4, 8}) {
      for (int providers = 1; providers <= 4; providers++) {
        all.add(fromLists(count, providers));
      }
    }
  }

  private static String words(Merged merged) {
    return "nodes " + merged.affinity() + (merged.preferred() ? ", preferred" : "");
  }

  private static String name(int nodes, int providers) {
    return "merge/numa" + nodes + "/providers" + providers;
  }

  private static Nodes nodes(int count) {
    Machine machine = RegularMachine.of(2, count / 2, 1, 1, 1);
    return Nodes.of(machine);
  }

  private static Workload<Merged> merge(String name, Nodes nodes, List<Offer> offers) {
    return new Workload<>(name, () -> POLICY.merge(nodes, offers), MergeWorkloads::words);
  }

  private static Workload<Merged> fromLists(int count, int providers) {
    Nodes nodes = nodes(count);
    List<List<Hint>> lists = new ArrayList<>();
    for (int provider = 0; provider < providers; provider++) {
      lists.add(hints(nodes, provider));
    }
    return new Workload<>(
        name(count, providers) + "/from-lists",
        () -> {
          List<Offer> offers = new ArrayList<>(providers);
          for (List<Hint> hints : lists) {
            offers.add(Offer.listed(nodes, hints));
          }
          return POLICY.merge(nodes, offers);
        },
        MergeWorkloads::words);
  }

  private static List<Offer> listed(Nodes nodes, int providers) {
    List<Offer> offers = new ArrayList<>();
    for (int provider = 0; provider < providers; provider++) {
      offers.add(Offer.listed(nodes, hints(nodes, provider)));
    }
    return offers;
  }

  private static List<Hint> hints(Nodes nodes, int provider) {
    List<Hint> hints = new ArrayList<>();
    for (long mask = 1; mask < 1L << nodes.size(); mask++) {
      int[] members = new int[Long.bitCount(mask)];
      int count = 0;
      for (long rest = mask; rest != 0; rest &= rest - 1) {
        members[count++] = nodes.id(Long.numberOfTrailingZeros(rest));
      }
      hints.add(new Hint(Affinity.to(NodeSet.of(members)), count == preferredSize(provider)));
    }
    return hints;
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
