package dev.berth.hints;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.topology.Distances;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;

/**
 * The NUMA nodes that a merge is about, and how far they are from each other.
 *
 * <p>Node ids may have gaps and go past 64; inside this package a node is its position among the
 * sorted ids. Positions and ids sort alike, so "the lowest set" means the same in both. Immutable;
 * made once a machine.
 */
public final class Nodes {
  private final int[] ids;
  private final NodeSet all;

  /** Whether they are 0, 1, 2 and so on, so that ids are positions. */
  private final boolean dense;

  private final long[] self;
  private final long[] pairs;

  /** Each node alone, which is the answer to most questions. */
  private final NodeSet[] alone;

  private Nodes(NodeSet all, Distances distances) {
    if (all.isEmpty()) {
      throw new InvalidInputException("NUMA nodes: expected at least one, found none");
    }
    this.all = all;
    ids = all.toArray();
    dense = all.last() == ids.length - 1;
    self = new long[ids.length];
    pairs = new long[ids.length * ids.length];
    alone = new NodeSet[ids.length];
    for (int i = 0; i < ids.length; i++) {
      alone[i] = NodeSet.of(ids[i]);
      self[i] = distances.between(ids[i], ids[i]);
      for (int j = 0; j < i; j++) {
        long both = (long) distances.between(ids[i], ids[j]) + distances.between(ids[j], ids[i]);
        pairs[i * ids.length + j] = both;
        pairs[j * ids.length + i] = both;
      }
    }
  }

  /** These nodes, at these distances. */
  public static Nodes of(NodeSet nodes, Distances distances) {
    return new Nodes(nodes, distances);
  }

  /** Every node of a machine, those without CPUs included, as the kubelet sees them. */
  public static Nodes of(Machine machine) {
    int[] ids = machine.nodes().stream().mapToInt(NumaNode::id).toArray();
    return new Nodes(NodeSet.of(ids), machine.distances());
  }

  /** How many there are. */
  public int size() {
    return ids.length;
  }

  /** All of them. */
  public NodeSet all() {
    return all;
  }

  /** The id of the node at a position, both counted from the lowest. */
  public int id(int position) {
    return ids[position];
  }

  /** The average distance over all ordered pairs of these nodes, each with itself included. */
  public double averageDistance(NodeSet nodes) {
    long[] mask = mask("average distance", nodes);
    long count = nodes.size();
    return count == 0 ? 0 : (double) spread(mask) / (count * count);
  }

  /**
   * The positions of a set of nodes.
   *
   * @param what whose nodes they are, for the error
   * @throws InvalidInputException where one of them is not among these
   */
  long[] mask(String what, NodeSet nodes) {
    long[] mask = Masks.none(ids.length);
    writeMask(what, nodes, mask, 0);
    return mask;
  }

  /** The same into an array of zeroes, from a place on: so lists are read, a hint after another. */
  void writeMask(String what, NodeSet nodes, long[] into, int at) {
    if (!nodes.isSubsetOf(all)) {
      throw new InvalidInputException(
          what + ": expected nodes among " + all + ", found " + nodes.difference(all));
    }
    if (all.wordCount() == 1) {
      into[at] = dense ? nodes.word(0) : Long.compress(nodes.word(0), all.word(0));
      return;
    }
    for (int position = 0; position < ids.length; position++) {
      if (nodes.contains(ids[position])) {
        into[at + (position >> 6)] |= 1L << position;
      }
    }
  }

  /** The nodes at the positions that are the one-bits of a number. */
  NodeSet set(int mask) {
    return (mask & mask - 1) == 0 && mask != 0
        ? alone[Integer.numberOfTrailingZeros(mask)]
        : set(new long[] {mask});
  }

  NodeSet set(long[] mask) {
    int[] members = Masks.positions(mask);
    if (members.length == ids.length) {
      return all;
    }
    for (int i = 0; i < members.length; i++) {
      members[i] = ids[members[i]];
    }
    return NodeSet.of(members);
  }

  long self(int position) {
    return self[position];
  }

  /** The distance there and back. */
  long pair(int one, int other) {
    return pairs[one * ids.length + other];
  }

  /**
   * The sum of distances over all ordered pairs: sets of one size compare by it as by the average,
   * without rounding.
   */
  long spread(long[] mask) {
    long sum = 0;
    for (int i = 0; i < ids.length; i++) {
      if (!Masks.has(mask, i)) {
        continue;
      }
      sum += self[i];
      for (int j = 0; j < i; j++) {
        sum += Masks.has(mask, j) ? pairs[i * ids.length + j] : 0;
      }
    }
    return sum;
  }
}
