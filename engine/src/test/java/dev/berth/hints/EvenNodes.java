package dev.berth.hints;

import dev.berth.cpu.NodeSet;
import dev.berth.topology.Distances;
import java.util.stream.IntStream;

/** NUMA nodes of which nobody knows how far they are from each other. */
final class EvenNodes {
  private EvenNodes() {}

  /** Those with the numbers from 0 on. */
  static Nodes of(int count) {
    int[] ids = IntStream.range(0, count).toArray();
    return Nodes.of(NodeSet.range(0, count - 1), Distances.unknown(ids));
  }
}
