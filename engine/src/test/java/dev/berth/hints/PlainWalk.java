package dev.berth.hints;

import dev.berth.cpu.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The merge as its definition reads: every combination of one hint a resource, compared one by one.
 *
 * <p>Deliberately without a thought for speed, and sharing no code with what it checks but the
 * types.
 */
final class PlainWalk {
  private final Nodes nodes;
  private final boolean closest;
  private final int target;
  private @Nullable Hint best;

  private PlainWalk(Nodes nodes, boolean closest, int target) {
    this.nodes = nodes;
    this.closest = closest;
    this.target = target;
  }

  /**
   * The best merged hint of best-effort and restricted; an empty list stands for an impossible
   * resource.
   */
  static Hint merge(Nodes nodes, List<List<Hint>> resources, boolean closest) {
    List<List<Hint>> hints =
        resources.stream()
            .map(list -> list.isEmpty() ? List.of(new Hint(Affinity.ANY, false)) : list)
            .toList();
    int target = hints.stream().mapToInt(PlainWalk::narrowest).max().orElse(0);
    PlainWalk walk = new PlainWalk(nodes, closest, target);
    combine(hints, 0, List.of(), walk::consider);
    Hint best = walk.best;
    return best == null ? new Hint(Affinity.to(nodes.all()), false) : best;
  }

  /** The hint of single-numa-node. */
  static Hint single(Nodes nodes, List<List<Hint>> resources) {
    List<List<Hint>> hints =
        resources.stream().map(list -> list.stream().filter(PlainWalk::isSingle).toList()).toList();
    PlainWalk walk = new PlainWalk(nodes, false, 0);
    combine(hints, 0, List.of(), walk::consider);
    Hint best = walk.best;
    if (best == null) {
      return new Hint(Affinity.ANY, false);
    }
    return best.affinity().equals(Affinity.to(nodes.all()))
        ? new Hint(Affinity.ANY, best.preferred())
        : best;
  }

  private static boolean isSingle(Hint hint) {
    return hint.preferred()
        && (hint.affinity() instanceof Affinity.Any
            || (hint.affinity() instanceof Affinity.To(var set) && set.size() == 1));
  }

  private static int narrowest(List<Hint> hints) {
    return hints.stream()
        .filter(hint -> hint.affinity() instanceof Affinity.To)
        .mapToInt(hint -> ((Affinity.To) hint.affinity()).nodes().size())
        .min()
        .orElse(0);
  }

  private static void combine(
      List<List<Hint>> hints, int index, List<Hint> chosen, Consumer<List<Hint>> action) {
    if (index == hints.size()) {
      action.accept(chosen);
      return;
    }
    for (Hint hint : hints.get(index)) {
      List<Hint> more = new ArrayList<>(chosen);
      more.add(hint);
      combine(hints, index + 1, more, action);
    }
  }

  private void consider(List<Hint> combination) {
    NodeSet met = nodes.all();
    @Nullable NodeSet first = null;
    boolean preferred = true;
    for (Hint hint : combination) {
      preferred &= hint.preferred();
      if (hint.affinity() instanceof Affinity.To(var set)) {
        first = first == null ? set : first;
        preferred &= set.equals(first);
        met = met.intersection(set);
      }
    }
    Hint merged = new Hint(Affinity.to(met), preferred);
    Hint current = best;
    if (!met.isEmpty() && (current == null || isBetter(merged, current))) {
      best = merged;
    }
  }

  private boolean isBetter(Hint one, Hint other) {
    if (one.preferred() != other.preferred()) {
      return one.preferred();
    }
    NodeSet a = ((Affinity.To) one.affinity()).nodes();
    NodeSet b = ((Affinity.To) other.affinity()).nodes();
    int rankA = rank(a.size(), one.preferred());
    int rankB = rank(b.size(), other.preferred());
    if (rankA != rankB) {
      return rankA < rankB;
    }
    double farA = closest ? nodes.averageDistance(a) : 0;
    double farB = closest ? nodes.averageDistance(b) : 0;
    return farA != farB ? farA < farB : isLower(a, b);
  }

  private int rank(int size, boolean preferred) {
    if (preferred) {
      return size;
    }
    return size <= target ? target - size : 1000 + size;
  }

  private static boolean isLower(NodeSet a, NodeSet b) {
    int differ = Math.max(a.difference(b).last(), b.difference(a).last());
    return differ >= 0 && b.contains(differ);
  }
}
