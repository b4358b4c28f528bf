package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.simulate.Figures;
import dev.berth.simulate.Figures.Aligned;
import dev.berth.simulate.Scenario;
import dev.berth.story.Boundary;
import dev.berth.story.Step;
import dev.berth.terminal.TextTable;
import dev.berth.topology.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What a simulation came to, for people. */
final class SimulationText {
  /** Columns that are shortened on a narrow terminal, the first first: CPUs, pod, container. */
  private static final int[] SEAT_GIVES_WAY = {5, 1, 2};

  private static final int SEATS = 24;

  /** Refusals of which it is told what would have helped. */
  static final int EXPLAINED = 3;

  private final Scenario scenario;
  private final int width;
  private final int tableWidth;
  private final List<Step> seated = new ArrayList<>();
  private final List<Step> moved = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  SimulationText(Scenario scenario, int width, int tableWidth) {
    this.scenario = scenario;
    this.width = width;
    this.tableWidth = tableWidth;
  }

  /** Keeps of the steps what is shown. */
  void hear(Step step) {
    boolean own = step.kind() == Step.Kind.ADMITTED && !step.holding().cpus().isEmpty();
    if (own && seated.size() < SEATS) {
      seated.add(step);
    }
    boolean change = step.kind() == Step.Kind.MOVED || step.kind() == Step.Kind.DISPLACED;
    if (change && moved.size() < SEATS) {
      moved.add(step);
    }
  }

  String render(Figures figures) {
    head(figures);
    moved();
    seats(figures);
    refusals(figures);
    lines("Shares, though it looks guaranteed:", figures.surprises());
    lines("Not checked:", figures.unchecked());
    if (figures.exclusive() > 0) {
      alignment(figures);
    }
    courses(figures);
    return text.toString();
  }

  private void head(Figures figures) {
    line(scenario.title() + " (" + scenario.machine().cpus().size() + " CPUs)");
    line(described(scenario.settings().configuration()));
    String span = figures.timed() ? " in " + Spans.text(figures.seconds()) : "";
    int there = scenario.workload().start().size();
    line(
        (there == 0 ? "" : counted(there, "pod") + " there from the start; ")
            + counted(figures.came(), "pod")
            + " came"
            + span
            + ": "
            + figures.admitted()
            + " admitted, "
            + figures.refusedInAll()
            + " refused");
  }

  static String described(Configuration configuration) {
    if (configuration.cpuPolicy() == CpuPolicy.NONE) {
      return "CPU policy none";
    }
    String options = String.join(", ", configuration.optionsOn());
    return "CPU policy static"
        + (options.isEmpty() ? "" : " (" + options + ")")
        + ", topology policy "
        + configuration.topology().policy().kubernetesName()
        + ", scope "
        + configuration.topology().scope().kubernetesName();
  }

  private void moved() {
    if (!moved.isEmpty()) {
      line("");
      line("Could not stay as they were:");
      for (Step step : moved) {
        line("  " + name(step) + " " + step.kind().word() + ": " + step.message());
      }
    }
  }

  private void seats(Figures figures) {
    if (seated.isEmpty()) {
      return;
    }
    line("");
    String those =
        figures.exclusive() > seated.size()
            ? " (the first " + seated.size() + " of " + figures.exclusive() + ")"
            : "";
    line("Who got CPUs of their own" + those + ":");
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("AT", "POD", "CONTAINER", "NUMA", "L3", "CPUS"));
    for (Step step : seated) {
      step.holding().cpus().forEach((container, cpus) -> rows.add(seat(step, container, cpus)));
    }
    text.append(TextTable.shortened(rows, tableWidth - 2, SEAT_GIVES_WAY).indented());
  }

  private List<String> seat(Step step, String container, CpuSet cpus) {
    return List.of(
        Spans.text(step.at()),
        name(step),
        container,
        Places.text(scenario.machine(), Level.NODE, cpus),
        Places.text(scenario.machine(), Level.CACHE, cpus),
        cpus.toString());
  }

  private void refusals(Figures figures) {
    if (figures.refused().isEmpty()) {
      return;
    }
    line("");
    line("Refused:");
    figures.refused().forEach((reason, count) -> line("  " + reason + ": " + count));
    int shown = 0;
    for (Step step : figures.firstRefused()) {
      line("  " + Spans.text(step.at()) + " " + name(step) + ": " + step.message());
      if (shown++ < EXPLAINED) {
        WhatHelps.lines(step.why()).forEach(help -> line("    " + help));
      }
    }
    int more = figures.refusedInAll() - figures.firstRefused().size();
    if (more > 0) {
      line("  and " + more + " more; -o json has them all");
    }
  }

  private void lines(String title, List<String> lines) {
    if (!lines.isEmpty()) {
      line("");
      line(title);
      lines.forEach(line -> line("  " + line));
    }
  }

  private void alignment(Figures figures) {
    line("");
    line("How containers with CPUs of their own lie:");
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "IN ONE", "WOULD FIT ONE", "IN AS FEW AS POSSIBLE"));
    for (Map.Entry<Boundary, Aligned> entry : figures.alignment().entrySet()) {
      Aligned aligned = entry.getValue();
      rows.add(
          List.of(
              entry.getKey().level().noun(),
              String.valueOf(aligned.within()),
              String.valueOf(aligned.small()),
              aligned.fewest()
                  + " of "
                  + aligned.containers()
                  + " ("
                  + percent((double) aligned.fewest() / aligned.containers())
                  + ")"));
    }
    text.append(TextTable.shortened(rows, tableWidth - 2).indented());
    line(
        "  "
            + figures.compact()
            + " of "
            + counted(figures.exclusive(), "pod")
            + " as compactly as on an empty machine");
  }

  private void courses(Figures figures) {
    if (figures.use().most() == 0) {
      return;
    }
    line("");
    line(figures.timed() ? "Over time:" : "Step by step:");
    int columns = Math.clamp((long) width - 54, 8, 60);
    List<List<String>> rows =
        List.of(
            course("CPUs given away", figures.use(), figures, columns, Figures.Point::use),
            course(
                "fragmentation by NUMA node",
                figures.nodeFragmentation(),
                figures,
                columns,
                Figures.Point::nodeFragmentation),
            course(
                "fragmentation by L3 cache",
                figures.cacheFragmentation(),
                figures,
                columns,
                Figures.Point::cacheFragmentation));
    text.append(TextTable.shortened(rows, tableWidth - 2, 0).indented());
  }

  private static List<String> course(
      String name,
      Figures.Course course,
      Figures figures,
      int columns,
      ToDoubleFunction<Figures.Point> measure) {
    return List.of(
        name,
        Sparkline.of(figures.series().stream().mapToDouble(measure).toArray(), columns),
        "mean " + percent(course.mean()) + ", most " + percent(course.most()));
  }

  private String name(Step step) {
    return scenario.workload().visitors().get(step.pod().orElseThrow()).told().title();
  }

  static String percent(double part) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * part);
  }

  private static String counted(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** Within a terminal's width; elsewhere a line stays one, for whoever searches it. */
  private void paragraph(int indent, String words) {
    text.append(Paragraph.of(words, indent, tableWidth));
  }

  private void line(String line) {
    String words = line.stripLeading();
    paragraph(line.length() - words.length(), words);
  }
}
