package dev.berth.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** The part of the report that JMH measured. */
final class HotPaths {
  private final JsonNode results;

  HotPaths(Path folder) throws IOException {
    results = JsonFile.read(folder.resolve("jmh.json"));
  }

  void write(StringBuilder text) {
    text.append("\n## Hot paths\n\n");
    text.append(
        "By JMH, two forks each; the error is JMH's, at 99.9 %. The pass over groups is our share"
            + " of one, without the kernel's.\n\n");
    text.append("| benchmark | | time | ± | allocated |\n|---|---|--:|--:|--:|\n");
    for (JsonNode result : results) {
      JsonNode score = result.path("primaryMetric");
      text.append("| `").append(name(result)).append("` | ").append(parameters(result));
      text.append(" | ").append(Words.time(score.path("score").asDouble()));
      text.append(" | ").append(Words.time(score.path("scoreError").asDouble(0)));
      text.append(" | ").append(allocated(result)).append(" |\n");
    }
  }

  private static String name(JsonNode result) {
    String[] words = result.path("benchmark").asString().split("\\.", -1);
    return words[words.length - 2].replace("Benchmark", "") + "." + words[words.length - 1];
  }

  private static String parameters(JsonNode result) {
    StringBuilder text = new StringBuilder();
    for (JsonNode value : result.path("params")) {
      text.append(text.isEmpty() ? "" : ", ");
      text.append(value.asString().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
    return text.toString();
  }

  private static String allocated(JsonNode result) {
    JsonNode bytes = result.path("secondaryMetrics").path("gc.alloc.rate.norm").path("score");
    return bytes.isMissingNode() ? "" : Math.round(bytes.asDouble()) + " B";
  }
}
