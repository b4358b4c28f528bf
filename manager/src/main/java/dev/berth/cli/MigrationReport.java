package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.json.Json;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Outcome;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A migration in words.
 *
 * @param migration what becomes of everybody
 */
record MigrationReport(Migration migration) {
  /** A line for each, then how many of which kind. */
  String text() {
    StringBuilder text = new StringBuilder();
    int kept = 0;
    int moved = 0;
    for (Map.Entry<String, Outcome> entry : migration.outcomes().entrySet()) {
      String uid = entry.getKey();
      CpuSet from = entry.getValue().from().allCpus();
      CpuSet to = entry.getValue().to().allCpus();
      text.append(
          switch (entry.getValue()) {
            case Outcome.Kept _ -> "kept " + uid + ": " + shown(from);
            case Outcome.Moved outcome ->
                "moved " + uid + ": " + shown(from) + " -> " + shown(to) + ": " + outcome.why();
            case Outcome.Displaced outcome ->
                "displaced " + uid + ": " + shown(from) + " -> shared: " + outcome.why();
          });
      text.append('\n');
      kept += entry.getValue() instanceof Outcome.Kept ? 1 : 0;
      moved += entry.getValue() instanceof Outcome.Moved ? 1 : 0;
    }
    return text.append(kept)
        .append(" kept, ")
        .append(moved)
        .append(" moved, ")
        .append(migration.displaced().size())
        .append(" displaced\n")
        .toString();
  }

  private static String shown(CpuSet cpus) {
    return cpus.isEmpty() ? "-" : cpus.toString();
  }

  String json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode pods = root.putArray("pods");
    migration
        .outcomes()
        .forEach((uid, outcome) -> {
          ObjectNode pod = pods.addObject().put("pod", uid);
          pod.put(
              "outcome",
              switch (outcome) {
                case Outcome.Kept _ -> "kept";
                case Outcome.Moved _ -> "moved";
                case Outcome.Displaced _ -> "displaced";
              });
          containers(pod.putObject("from"), outcome.from().cpus());
          containers(pod.putObject("to"), outcome.to().cpus());
          switch (outcome) {
            case Outcome.Kept _ -> {}
            case Outcome.Moved moved -> pod.put("why", moved.why());
            case Outcome.Displaced displaced -> pod.put("why", displaced.why());
          }
        });
    root.put("shared", migration.node().shared().toString());
    return Json.write(root);
  }

  private static void containers(ObjectNode json, Map<String, CpuSet> cpus) {
    cpus.forEach((name, own) -> json.put(name, own.toString()));
  }
}
