package dev.berth.hints;

import dev.berth.cpu.NodeSet;
import dev.berth.topology.Distances;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Times the workloads {@code merge/numaN/providersP}: each provider offers every non-empty set of
 * nodes, preferred where its size is 1 (even providers) or 2 (odd ones).
 *
 * <p>Run its main on the test class path. The offers are built before the clock starts.
 */
final class MergeBench {
  private MergeBench() {}

  public static void main(String[] arguments) {
    for (int count : new int[] {4, 8}) {
      for (int providers = 1; providers <= 4; providers++) {
        print("listed", count, providers, listed(nodes(count), providers));
      }
    }
    print("listed", 16, 4, listed(nodes(16), 4));
    for (int count : new int[] {4, 8, 16, 34, 64, 128}) {
      print("family", count, 4, families(nodes(count), 4));
    }
  }

  static Nodes nodes(int count) {
    int[] ids = IntStream.range(0, count).toArray();
    return Nodes.of(NodeSet.range(0, count - 1), Distances.unknown(ids));
  }

  static List<Offer> listed(Nodes nodes, int providers) {
    List<Offer> offers = new ArrayList<>();
    for (int provider = 0; provider < providers; provider++) {
      List<Hint> hints = new ArrayList<>();
      for (int set = 1; set < 1 << nodes.size(); set++) {
        boolean preferred = Integer.bitCount(set) == 1 + provider % 2;
        hints.add(new Hint(Affinity.to(nodes.set(new long[] {set})), preferred));
      }
      offers.add(Offer.listed(nodes, hints));
    }
    return offers;
  }

  static List<Offer> families(Nodes nodes, int providers) {
    return IntStream.range(0, providers)
        .mapToObj(p -> Offer.family(Cover.everySet(nodes), Preference.ofSize(1 + p % 2)))
        .toList();
  }

  private static void print(String form, int count, int providers, List<Offer> offers) {
    Nodes nodes = nodes(count);
    TopologyPolicy policy = new BestEffort(TieBreak.LOWEST);
    long best = Long.MAX_VALUE;
    int check = 0;
    for (int round = 0; round < 20; round++) {
      long start = System.nanoTime();
      int runs = 0;
      while (System.nanoTime() - start < 50_000_000) {
        for (int i = 0; i < 100; i++) {
          check += policy.merge(nodes, offers).preferred() ? 1 : 0;
        }
        runs += 100;
      }
      best = Math.min(best, (System.nanoTime() - start) / runs);
    }
    System.out.printf(
        Locale.ROOT,
        "merge/numa%d/providers%d %s %,d ns (%s)%n",
        count,
        providers,
        form,
        best,
        check >= 0 ? policy.merge(nodes, offers).affinity() : "");
  }
}
