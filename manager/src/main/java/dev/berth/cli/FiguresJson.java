package dev.berth.cli;

import dev.berth.simulate.Figures;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a simulation comes to, as JSON. */
final class FiguresJson {
  private FiguresJson() {}

  static ObjectNode of(Figures figures) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("seconds", figures.seconds()).put("timed", figures.timed());
    json.put("admitted", figures.admitted()).put("refused", figures.refusedInAll());
    ObjectNode reasons = json.putObject("reasons");
    figures.refused().forEach(reasons::put);
    figures.surprises().forEach(json.putArray("surprises")::add);
    figures.unchecked().forEach(json.putArray("unchecked")::add);
    json.put("exclusive", figures.exclusive()).put("compact", figures.compact());
    ObjectNode alignment = json.putObject("alignment");
    figures
        .alignment()
        .forEach((boundary, aligned) ->
            alignment
                .putObject(boundary.word())
                .put("containers", aligned.containers())
                .put("small", aligned.small())
                .put("within", aligned.within())
                .put("fewest", aligned.fewest()));
    course(json.putObject("use"), figures.use());
    course(json.putObject("nodeFragmentation"), figures.nodeFragmentation());
    course(json.putObject("cacheFragmentation"), figures.cacheFragmentation());
    ArrayNode series = json.putArray("series");
    for (Figures.Point point : figures.series()) {
      series
          .addArray()
          .add(point.at())
          .add(point.use())
          .add(point.nodeFragmentation())
          .add(point.cacheFragmentation());
    }
    return json;
  }

  private static void course(ObjectNode json, Figures.Course course) {
    json.put("mean", rounded(course.mean())).put("most", rounded(course.most()));
  }

  private static double rounded(double part) {
    return Math.round(part * 10_000) / 10_000.0;
  }
}
