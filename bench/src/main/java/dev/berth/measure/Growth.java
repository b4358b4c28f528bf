package dev.berth.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The pictures of the report: what an admission costs on ever larger machines. */
final class Growth {
  private final Figures kubernetes;
  private final Figures berth;

  Growth(Sides sides) {
    kubernetes = sides.kubernetes();
    berth = sides.berth();
  }

  void write(StringBuilder text) {
    text.append("\n## Growth\n\n");
    text.append(
        "![Time of one admission against the number of NUMA nodes](benchmark/numa-nodes.svg)\n\n");
    text.append("![Time of one admission against the number of CPUs](benchmark/cpus.svg)\n");
  }

  void draw(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("numa-nodes.svg"), byNodes().svg());
    Files.writeString(folder.resolve("cpus.svg"), byCpus().svg());
  }

  private Plot byNodes() {
    List<Integer> sizes = List.of(8, 12, 16, 34, 64);
    return new Plot(
        "Start of a node and admission of one pod, by NUMA nodes",
        "NUMA nodes",
        sizes,
        List.of(
            series(
                "Kubernetes, CPUs only\n(34 and 64: no end)",
                kubernetes,
                "admit-one/numa%d/best-effort",
                sizes),
            series("Berth, CPUs only", berth, "admit-one/numa%d/best-effort", sizes),
            series(
                "Berth, CPUs, memory,\nhugepages, a device",
                berth,
                "admit-one/numa%d/all",
                sizes)));
  }

  private Plot byCpus() {
    List<Integer> sizes = List.of(32, 64, 128, 256, 512);
    return new Plot(
        "Start of a node and admission of one pod, by CPUs",
        "CPUs, on two NUMA nodes",
        sizes,
        List.of(
            series("Kubernetes", kubernetes, "admit-one/cpus%d/best-effort", sizes),
            series("Berth", berth, "admit-one/cpus%d/best-effort", sizes)));
  }

  private static Plot.Series series(
      String name, Figures figures, String workload, List<Integer> sizes) {
    List<Plot.Point> points = new ArrayList<>();
    for (int size : sizes) {
      figures
          .spread(workload.replace("%d", String.valueOf(size)))
          .ifPresent(spread -> points.add(new Plot.Point(size, spread.middle())));
    }
    return new Plot.Series(name, points);
  }
}
