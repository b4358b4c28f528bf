package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The part of the report that sets the workloads beside Kubernetes. */
final class WorkloadReport {
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
   * node on a machine waits for it. Older figures have none of it.
   */
  private void onNewMachines(StringBuilder text) throws IOException {
    Path file = folder.resolve("jmh-new-machines.json");
    if (!Files.exists(file)) {
      return;
    }
    Map<String, Double> scores = byWorkload(file);
    text.append("\n### On a new machine\n\n");
    text.append("What Berth derives from a machine (which caches a node has, how far nodes are");
    text.append(" apart) it keeps with the machine, so it is made before a warm run. Here it is");
    text.append(
        " made anew in every run, as for the first node that is ever started on a machine:");
    text.append(" by JMH, each time on another machine, which itself is made before the clock");
    text.append(" starts. The same is asked of it; a ratio is to the median of Kubernetes.\n\n");
    text.append("| workload | Berth, as above | on a new machine | ratio | asked |\n");
    text.append("|---|--:|--:|--:|--:|\n");
    for (String name : sides.askedNames()) {
      if (NewMachineBenchmark.has(name)) {
        Double nanos = scores.get(name);
        if (nanos == null) {
          throw new InvalidInputException(file + ": expected figures of " + name + ", found none");
        }
        onNewMachine(text, name, nanos);
      }
    }
  }

  private void onNewMachine(StringBuilder text, String name, double nanos) {
    Optional<Double> ratio =
        sides.kubernetes().spread(name).map(kubernetes -> kubernetes.middle() / nanos);
    boolean reached = sides.asked().missed(name, Math.round(nanos), ratio).isEmpty();
    text.append("| `").append(name).append("` | ").append(time(sides.berth(), name));
    text.append(" | ").append(Words.time(nanos)).append(" | ");
    text.append(ratio.map(times -> Words.times(times) + " ×").orElse("")).append(" | ");
    text.append(sides.asked().told(name).orElse("")).append(", ");
    text.append(verdicts.of(name + " on a new machine", reached)).append(" |\n");
  }

  private void introduction(StringBuilder text) throws IOException {
    text.append("Both sides took turns, round by round, and in who goes first. Times are medians");
    text.append(" over the rounds; a ratio is Kubernetes' time over Berth's in the same round,");
    text.append(" warm, with the lowest and the highest. Cold is the first run in a fresh process");
    text.append(
        " that runs nothing else: without the process's own start, on either side, and for");
    text.append(" Berth with classes from the JVM's cache, as every `berth` has them, and nothing");
    text.append(" compiled yet. Both sides came to the same result in every workload");
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
    Map<String, Double> byJmh = byWorkload(folder.resolve("jmh-workloads.json"));
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

  private static Map<String, Double> byWorkload(Path file) throws IOException {
    Map<String, Double> scores = new HashMap<>();
    for (JsonNode result : JsonFile.read(file)) {
      scores.put(
          result.path("params").path(NamedWorkloadBenchmark.PARAMETER).asString(),
          result.path("primaryMetric").path("score").asDouble());
    }
    return scores;
  }
}
