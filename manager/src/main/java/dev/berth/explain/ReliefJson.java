package dev.berth.explain;

import dev.berth.ledger.Holding;
import dev.berth.relief.Act;
import dev.berth.relief.Move;
import dev.berth.relief.Relief;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What moving others would do, for programs. */
final class ReliefJson {
  private ReliefJson() {}

  static void write(ObjectNode json, Relief relief, Scene scene) {
    switch (relief) {
      case Relief.Plan plan -> plan(json.put("outcome", "plan"), plan, scene);
      case Relief.Impossible impossible ->
          json.put("outcome", "impossible").put("proof", proof(impossible));
      case Relief.Unknown unknown ->
          json.put("outcome", "unknown")
              .put("searchedUpTo", unknown.searchedUpTo())
              .put("movable", unknown.movable());
    }
    relief.lines().forEach(line -> json.withArray("text").add(scene.named(line)));
  }

  /** The name of the kind: {@code neverFits}, {@code tooLittle}, … */
  private static String proof(Relief.Impossible impossible) {
    String name = impossible.proof().getClass().getSimpleName();
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  private static void plan(ObjectNode json, Relief.Plan plan, Scene scene) {
    json.put("live", plan.isLive()).put("cpus", plan.place().allCpus().toString());
    ArrayNode moves = json.putArray("moves");
    plan.moves().forEach(move -> move(moves.addObject(), move, scene));
    json.put("before", plan.before()).put("ruledOut", plan.ruledOut());
    ArrayNode acts = json.putArray("acts");
    for (Act act : plan.acts()) {
      ObjectNode entry = acts.addObject();
      switch (act) {
        case Act.Shift(Move move) -> move(entry.put("act", "move"), move, scene);
        case Act.Stop(Move move) -> move(entry.put("act", "stop"), move, scene);
        case Act.Restart(Move move) -> move(entry.put("act", "start"), move, scene);
        case Act.Admit(String pod, Holding place) ->
            entry
                .put("act", "admit")
                .put("pod", scene.name(pod))
                .put("to", place.allCpus().toString());
      }
    }
  }

  private static void move(ObjectNode entry, Move move, Scene scene) {
    entry
        .put("pod", scene.name(move.pod()))
        .put("from", move.from().allCpus().toString())
        .put("to", move.to().allCpus().toString())
        .put("nodesBefore", move.nodesBefore())
        .put("nodesAfter", move.nodesAfter());
  }
}
