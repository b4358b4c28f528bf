package dev.berth.allocation;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Level;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Deals CPUs out evenly over the fewest NUMA nodes that allow it (KEP-2902).
 *
 * <p>One node where one is enough; otherwise two, three and so on, each giving the same number, and
 * what does not divide dealt out over some of them so that the machine's nodes are left as equally
 * full as possible. Ties go to the nodes that come first: fewest free CPUs, then lowest id, socket
 * by socket. Within a node CPUs are packed. Where no number of nodes can share evenly, everything
 * is packed.
 */
final class DistributedChooser implements Chooser {
  private final Layout layout;
  private final Chooser packed;
  private final int group;
  private final Workspace work;
  private final int[] order;
  private final int[] free;

  /**
   * A chooser that deals in groups.
   *
   * @param group how many CPUs stay together: a core's worth, or 1
   */
  DistributedChooser(Layout layout, Chooser packed, int group) {
    this.layout = layout;
    this.packed = packed;
    this.group = group;
    work = new Workspace(layout);
    order = new int[layout.nodes.count];
    free = new int[layout.nodes.count];
  }

  @Override
  public CpuSet choose(CpuSet available, int count, Trace trace) {
    if (count == 0) {
      return CpuSet.EMPTY;
    }
    if (count % group != 0) {
      return packed.choose(available, count, trace);
    }
    work.begin(available, count, trace);
    int nodes = listNodes();
    int groups = count / group;
    for (int width = fewestNodes(groups); width <= Math.min(groups, nodes); width++) {
      Distribution found = Distribution.over(Arrays.copyOf(free, nodes), width, count, group);
      if (found != null) {
        tell(trace, found, count, width);
        return deal(available, found, trace);
      }
    }
    if (trace.on()) {
      trace.add(
          new Step.Noted("no set of NUMA nodes can share " + count + " CPUs evenly: packing"));
    }
    return packed.choose(available, count, trace);
  }

  /** Lists the nodes that have free CPUs, in order, each once. */
  private int listNodes() {
    Order listed = work.orderNodes();
    int nodes = 0;
    for (int i = 0; i < listed.count(); i++) {
      int node = listed.at(i);
      if (!isListed(node, nodes)) {
        order[nodes] = node;
        free[nodes++] = layout.nodes.free(work.free, node);
      }
    }
    work.tellBegan("NUMA nodes, evenly", listed);
    return nodes;
  }

  private boolean isListed(int node, int nodes) {
    for (int i = 0; i < nodes; i++) {
      if (order[i] == node) {
        return true;
      }
    }
    return false;
  }

  /** How many nodes the request would take on an empty machine of equal nodes. */
  private int fewestNodes(int groups) {
    int all = (layout.machine.cpus().size() - 1) / group + 1;
    int perNode = (all - 1) / layout.nodes.count + 1;
    return (groups - 1) / perNode + 1;
  }

  private CpuSet deal(CpuSet available, Distribution found, Trace trace) {
    CpuSet result = CpuSet.EMPTY;
    for (int i = 0; i < found.nodes(); i++) {
      if (!found.takesFrom(i)) {
        continue;
      }
      CpuSet here = layout.machine.domains(Level.NODE).get(order[i]).cpus().intersection(available);
      CpuSet chosen = packed.choose(here, found.even(), trace);
      for (int extra = 0; extra < found.extraGroups(i); extra++) {
        CpuSet rest = here.difference(chosen);
        chosen = chosen.union(packed.choose(rest, group, trace));
      }
      result = result.union(chosen);
    }
    return result;
  }

  private void tell(Trace trace, Distribution found, int count, int width) {
    if (trace.on()) {
      String shares =
          IntStream.range(0, found.nodes())
              .filter(found::takesFrom)
              .mapToObj(i ->
                  (found.even() + found.extraGroups(i) * group)
                      + " from node "
                      + layout.nodes.id(order[i]))
              .collect(Collectors.joining(", "));
      trace.add(new Step.Noted(count + " CPUs fit evenly on " + width + " NUMA nodes: " + shares));
    }
  }
}
