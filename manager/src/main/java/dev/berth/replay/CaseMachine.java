package dev.berth.replay;

import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Reads the machine of a case: a row a CPU, and distances indexed by node id. */
final class CaseMachine {
  private CaseMachine() {}

  static Machine read(Fields machine) {
    MachineBuilder builder = Machine.builder("case");
    TreeSet<Integer> nodes = new TreeSet<>();
    for (JsonNode row : machine.raw().path("cpus")) {
      if (!row.isArray() || row.size() != 5) {
        throw machine.error("cpus", "rows of 5 numbers", row);
      }
      builder.cpu(
          row.get(0).intValue(),
          row.get(1).intValue(),
          row.get(2).intValue(),
          row.get(3).intValue(),
          row.get(4).intValue());
      nodes.add(row.get(3).intValue());
    }
    JsonNode rows = machine.raw().path("distances");
    int[][] distances = new int[nodes.size()][nodes.size()];
    int[] ids = nodes.stream().mapToInt(Integer::intValue).toArray();
    for (int from = 0; from < ids.length; from++) {
      for (int to = 0; to < ids.length; to++) {
        distances[from][to] = rows.path(from).path(ids[to]).asInt(0);
      }
    }
    return ScenarioReader.within(machine.where(), builder.distances(distances)::build);
  }
}
