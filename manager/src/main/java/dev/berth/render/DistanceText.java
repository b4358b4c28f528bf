package dev.berth.render;

import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.util.List;
import java.util.TreeMap;

/** Distances between NUMA nodes: in a sentence where that is enough, as a table where it fits. */
final class DistanceText {
  private final Machine machine;
  private final int width;
  private final List<NumaNode> nodes;

  DistanceText(Machine machine, int width) {
    this.machine = machine;
    this.width = width;
    nodes = machine.nodes();
  }

  void append(StringBuilder text) {
    if (nodes.size() < 2) {
      return;
    }
    TreeMap<Integer, Integer> pairs = new TreeMap<>();
    for (NumaNode from : nodes) {
      for (NumaNode to : nodes) {
        if (from.id() != to.id()) {
          pairs.merge(machine.distances().between(from.id(), to.id()), 1, Integer::sum);
        }
      }
    }
    text.append('\n');
    int cell = String.valueOf(Math.max(nodes.getLast().id(), pairs.lastKey())).length() + 1;
    if (pairs.size() == 1) {
      text.append("distance between nodes: ").append(pairs.firstKey()).append('\n');
    } else if ("distance ".length() + cell * nodes.size() <= width) {
      table(text, cell);
    } else {
      text.append("distances between nodes: ");
      text.append(pairs.firstKey()).append(" to ").append(pairs.lastKey()).append('\n');
    }
  }

  private void table(StringBuilder text, int cell) {
    text.append("distance");
    nodes.forEach(to -> text.append(padded(to.id(), cell)));
    text.append('\n');
    for (NumaNode from : nodes) {
      text.append(padded(from.id(), "distance".length()));
      nodes.forEach(
          to -> text.append(padded(machine.distances().between(from.id(), to.id()), cell)));
      text.append('\n');
    }
  }

  private static String padded(int number, int cell) {
    String digits = String.valueOf(number);
    return " ".repeat(Math.max(0, cell - digits.length())) + digits;
  }
}
