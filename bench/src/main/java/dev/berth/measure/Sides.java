package dev.berth.measure;

import dev.berth.bench.Floors;
import dev.berth.bench.NamedWorkload;
import dev.berth.bench.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The workloads' figures of Kubernetes and of Berth, and what is asked.
 *
 * @param kubernetes warm
 * @param kubernetesCold the first run of a fresh process
 * @param berth warm
 * @param berthCold the first run in a fresh JVM
 * @param asAgent warm, with the JVM's flags that the agent runs with
 * @param asked what the workloads must reach
 */
record Sides(
    Figures kubernetes,
    Figures kubernetesCold,
    Figures berth,
    Figures berthCold,
    Figures asAgent,
    Floors asked) {
  static Sides read(Path folder, Path targets) throws IOException {
    return new Sides(
        Figures.read(folder, "upstream"),
        Figures.read(folder, "upstream-cold"),
        Figures.read(folder, "berth"),
        Figures.read(folder, "cold"),
        Figures.read(folder, "agent"),
        Floors.parse(targets.toString(), Files.readAllLines(targets)));
  }

  static List<String> names() {
    return Workloads.all().stream().map(NamedWorkload::name).toList();
  }

  /** Those of which something is asked. */
  List<String> askedNames() {
    return names().stream().filter(name -> asked.told(name).isPresent()).toList();
  }

  /** What Kubernetes calls it, which knows lists only. */
  static String plain(String name) {
    return name.replace("/described", "");
  }

  /** How many times Kubernetes' speed, round by round. */
  Optional<Spread> ratio(String name) {
    return ratio(name, berth, kubernetes);
  }

  /** The same for the first run of a fresh process on both sides. */
  Optional<Spread> coldRatio(String name) {
    return ratio(name, berthCold, kubernetesCold);
  }

  /** The same as the agent would be. */
  Optional<Spread> agentRatio(String name) {
    return ratio(name, asAgent, kubernetes);
  }

  private static Optional<Spread> ratio(String name, Figures ours, Figures theirs) {
    List<Double> ratios = ours.ratios(name, theirs, plain(name));
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Spread.of(ratios));
  }

  /** Whether what is asked of a workload is reached by figures of ours. */
  boolean isReached(String name, Figures ours, Optional<Spread> ratio) {
    long nanos = Math.round(ours.spread(name).map(Spread::middle).orElse(1e18));
    return asked.missed(name, nanos, ratio.map(Spread::middle)).isEmpty();
  }
}
