package dev.berth.hints;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.util.Arrays;
import java.util.List;

/** An offer of more sets than can be named: all of a cover, and some single ones beside it. */
public final class Family implements Offer {
  private final Cover cover;
  private final boolean coverIsEmpty;
  private final List<NodeSet> more;
  private final long[][] moreMasks;
  private final Preference preference;

  Family(Cover cover, List<NodeSet> more, Preference preference) {
    this.cover = cover;
    this.more = List.copyOf(more);
    this.preference = preference;
    coverIsEmpty = cover.isEmpty();
    moreMasks =
        more.stream().map(set -> cover.nodes().mask("set of nodes", set)).toArray(long[][]::new);
    if (more.stream().anyMatch(NodeSet::isEmpty)) {
      throw new InvalidInputException("set of nodes: expected at least one node, found none");
    }
  }

  @Override
  public boolean isFor(Nodes nodes) {
    return cover.nodes().all().equals(nodes.all());
  }

  /** The sets that are described. */
  public Cover cover() {
    return cover;
  }

  /** The sets that are named. */
  public List<NodeSet> more() {
    return more;
  }

  /** Which of them are preferred. */
  public Preference preference() {
    return preference;
  }

  boolean coverIsEmpty() {
    return coverIsEmpty;
  }

  long[][] moreMasks() {
    return moreMasks;
  }

  boolean contains(long[] set) {
    for (long[] named : moreMasks) {
      if (Arrays.equals(named, set)) {
        return true;
      }
    }
    return cover.contains(set);
  }

  boolean prefers(long[] set) {
    return preference.prefers(set) && contains(set);
  }

  int narrowest(Budget budget) {
    int named = Integer.MAX_VALUE;
    for (long[] mask : moreMasks) {
      named = Math.min(named, Masks.count(mask));
    }
    return named == 1 || coverIsEmpty ? named : Math.min(named, cover.narrowest(budget));
  }
}
