package dev.berth.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The part of the report that sets the workloads beside Kubernetes. */
final class WorkloadReport {
  private static final String BEST = "/best-effort";
  private static final String NEW_MACHINE = "StartingBenchmark.onNewMachine";

  private final Path folder;
  private final Sides sides;
  private final Verdicts verdicts;

  WorkloadReport(Path folder, Sides sides, Verdicts verdicts) {
    this.folder = folder;
    this.sides = sides;
    this.verdicts = verdicts;
  }

  void write(StringBuilder text) throws IOException {
    text.append("\n## Workloads\n\n");
    introduction(text);
    text.append("| workload | Kubernetes | Kubernetes, cold | Berth | Berth, cold | ratio |");
    text.append(" lowest – highest | asked |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
    for (String name : Sides.names()) {
      row(text, name);
    }
    text.append(
        "\nWhere Kubernetes' time is missing, it does not end in a time that anybody would");
    text.append(" wait for:\n\n");
    for (String line : Files.readAllLines(folder.resolve("left-out.txt"))) {
      text.append("- ").append(line).append('\n');
    }
    onNewMachines(text);
    otherwise(text);
  }

  /**
   * What is derived from a machine is kept with it and so is in no warm run; who starts the first
   * node on a machine waits for it.
   */
  private void onNewMachines(StringBuilder text) throws IOException {
    List<String> told = new ArrayList<>();
    List<String> below = new ArrayList<>();
    for (JsonNode result :
        JsonMapper.shared().readTree(Files.readString(folder.resolve("jmh.json")))) {
      String name = "admit-one/numa" + result.path("params").path("nodes").asString("") + BEST;
      Optional<Spread> kubernetes = sides.kubernetes().spread(name);
      if (result.path("benchmark").asString().endsWith(NEW_MACHINE) && kubernetes.isPresent()) {
        double nanos = result.path("primaryMetric").path("score").asDouble();
        double ratio = kubernetes.get().middle() / nanos;
        told.add("`" + name + "` " + Words.time(nanos) + ", " + Words.times(ratio) + " ×");
        if (sides.asked().missed(name, Math.round(nanos), Optional.of(ratio)).isPresent()) {
          below.add(name);
        }
      }
    }
    if (told.isEmpty()) {
      return;
    }
    text.append("\nWhat Berth derives from a machine (which caches a node has, how far nodes are");
    text.append(" apart) it keeps with the machine, so it is made before a warm run. With it, as");
    text.append(" for the first node that is ever started on a machine, by JMH: ");
    text.append(String.join("; ", told)).append('.');
    if (!below.isEmpty()) {
      verdicts.remark("on a new machine below what is asked: " + String.join(", ", below));
      text.append(" That is below what is asked above: `");
      text.append(String.join("`, `", below)).append("`.");
    }
    text.append('\n');
  }

  private void introduction(StringBuilder text) throws IOException {
    text.append("Both sides took turns, round by round, and in who goes first. Times are medians");
    text.append(" over the rounds; a ratio is Kubernetes' time over Berth's in the same round,");
    text.append(" warm, with the lowest and the highest. Cold is the first run in a fresh process");
    text.append(" that runs nothing else. Both sides came to the same result in every workload");
    text.append(" that both ran: of a fill, the same CPUs for every pod, in the same order. The");
    text.append(
        " making of a merge's lists of hints is not timed on either side, reading them is on");
    text.append(" both. `described` is the same merge of what Berth's own providers give, which");
    text.append(" list nothing, beside the same time of Kubernetes.");
    text.append(" Berth's JVM is that of `berth bench`, which has the better compiler: `");
    text.append(line("flags-long.txt")).append("`.\n\n");
  }

  private String line(String file) throws IOException {
    return Files.readString(folder.resolve(file)).strip();
  }

  private void row(StringBuilder text, String name) {
    Optional<Spread> ratio = sides.ratio(name);
    sides.coldRatio(name); // refuses what cannot be compared
    text.append("| `").append(name).append("` | ");
    text.append(time(sides.kubernetes(), Sides.plain(name))).append(" | ");
    text.append(time(sides.kubernetesCold(), Sides.plain(name))).append(" | ");
    text.append(time(sides.berth(), name)).append(" | ");
    text.append(time(sides.berthCold(), name)).append(" | ");
    text.append(spread(ratio)).append(" | ").append(wish(name, ratio)).append(" |\n");
  }

  private static String time(Figures figures, String name) {
    return figures.spread(name).map(spread -> Words.time(spread.middle())).orElse("");
  }

  private static String spread(Optional<Spread> ratio) {
    return ratio.map(r -> Words.times(r.middle()) + " ×").orElse("")
        + " | "
        + ratio.map(r -> Words.times(r.low()) + " – " + Words.times(r.high())).orElse("");
  }

  private String wish(String name, Optional<Spread> ratio) {
    return sides
        .asked()
        .told(name)
        .map(wish -> wish + ", " + verdicts.of(name, sides.isReached(name, sides.berth(), ratio)))
        .orElse("");
  }

  /** Those with a target once more, as others would time them. */
  private void otherwise(StringBuilder text) throws IOException {
    Map<String, Double> byJmh = byJmh();
    text.append("\n### As in the agent, and by JMH\n\n");
    text.append("The agent is to be small, and its JVM has the quick compiler alone and a small");
    text.append(" heap: `").append(line("flags-agent.txt")).append("`. The workloads of which");
    text.append(" something is asked, with these flags, and their ratio to the same runs of");
    text.append(" Kubernetes; and Berth's as above beside what JMH makes of them, which warms up");
    text.append(" and counts in its own way.\n\n");
    text.append("| workload | Berth | by JMH | as in the agent | ratio of that |");
    text.append(" lowest – highest | asked above |\n|---|--:|--:|--:|--:|--:|--:|\n");
    List<String> below = new ArrayList<>();
    for (String name : sides.askedNames()) {
      Optional<Spread> ratio = sides.agentRatio(name);
      boolean reached = sides.isReached(name, sides.asAgent(), ratio);
      if (!reached) {
        below.add("`" + name + "`");
      }
      text.append("| `").append(name).append("` | ").append(time(sides.berth(), name));
      text.append(" | ").append(Optional.ofNullable(byJmh.get(name)).map(Words::time).orElse(""));
      text.append(" | ").append(time(sides.asAgent(), name)).append(" | ");
      text.append(spread(ratio)).append(" | ").append(sides.asked().told(name).orElse(""));
      text.append(reached ? "" : ", below").append(" |\n");
    }
    text.append('\n').append(agentWords(below)).append('\n');
  }

  /** The targets are the engine's, in a JVM that is free to be large; this is no verdict. */
  private String agentWords(List<String> below) {
    int all = sides.askedNames().size();
    if (below.isEmpty()) {
      return "With the agent's flags, too, all " + all + " reach what is asked of the engine.";
    }
    verdicts.remark("with the agent's flags " + below.size() + " of " + all + " fall below");
    return "With the agent's flags "
        + (all - below.size())
        + " of "
        + all
        + " reach what is asked of the engine; below it: "
        + String.join(", ", below)
        + ".";
  }

  private Map<String, Double> byJmh() throws IOException {
    Map<String, Double> scores = new HashMap<>();
    for (JsonNode result :
        JsonMapper.shared().readTree(Files.readString(folder.resolve("jmh-workloads.json")))) {
      scores.put(
          result.path("params").path(NamedWorkloadBenchmark.PARAMETER).asString(),
          result.path("primaryMetric").path("score").asDouble());
    }
    return scores;
  }
}
