package dev.berth.cli;

import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.CpuPolicy;
import dev.berth.simulate.Comparison;
import dev.berth.simulate.Figures;
import dev.berth.simulate.Scenario;
import dev.berth.story.Boundary;
import dev.berth.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Configurations side by side. */
record ComparisonReport(Scenario scenario, Comparison comparison, int width, int tableWidth) {
  /** Columns that a narrow terminal can do without, the first first: time, core, use and so on. */
  private static final List<Integer> EXPENDABLE = List.of(10, 5, 9, 8, 6);

  private static final int LABEL = 1;

  private static final List<String> HEADINGS =
      List.of(
          "", "CONFIGURATION", "IN", "OUT", "COMPACT", "CORE", "L3", "NUMA", "FRAG", "USE", "TIME");

  private static final String LEGEND =
      "IN, OUT: pods admitted and refused. COMPACT: pods with CPUs of their own that lie as on an"
          + " empty machine. CORE, L3, NUMA: containers in as few of these as possible. FRAG: of"
          + " the free CPUs by NUMA node, mean. USE: CPUs given away, mean.";

  String text() {
    StringBuilder text = new StringBuilder();
    String title = scenario.title() + " (" + scenario.machine().cpus().size() + " CPUs)";
    text.append(Paragraph.of(title, 0, tableWidth));
    String given = SimulationText.described(scenario.settings().configuration());
    text.append(Paragraph.of("as given: " + given, 0, tableWidth)).append('\n');
    List<List<String>> rows = new ArrayList<>(List.of(HEADINGS));
    comparison.runs().forEach(run -> rows.add(row(run)));
    text.append(TextTable.shedding(rows, tableWidth, EXPENDABLE, LABEL));
    text.append('\n').append(Paragraph.of(LEGEND, 0, width));
    Figures asGiven = comparison.given().figures();
    lines(text, "Shares, though it looks guaranteed:", asGiven.surprises());
    lines(text, "Not checked:", asGiven.unchecked());
    lines(text, "Left out:", comparison.leftOut());
    String best = comparison.best().candidate().label();
    text.append('\n').append(Paragraph.of("Recommended: " + best, 0, tableWidth));
    comparison.why().forEach(line -> text.append(Paragraph.of(line, 2, width)));
    if (!comparison.best().equals(comparison.given())) {
      text.append('\n')
          .append(
              new Advised(comparison.best().candidate().configuration(), scenario.machine())
                  .text()
                  .indent(4));
    }
    return text.toString();
  }

  private void lines(StringBuilder text, String title, List<String> lines) {
    if (!lines.isEmpty()) {
      text.append('\n').append(title).append('\n');
      lines.forEach(line -> text.append(Paragraph.of(line, 2, tableWidth)));
    }
  }

  private List<String> row(Comparison.Run run) {
    Figures figures = run.figures();
    boolean measured = figures.exclusive() > 0;
    boolean counted = run.candidate().configuration().cpuPolicy() == CpuPolicy.STATIC;
    return List.of(
        run.equals(comparison.best()) ? "*" : "",
        run.candidate().label(),
        String.valueOf(figures.admitted()),
        String.valueOf(figures.refusedInAll()),
        counted ? String.valueOf(figures.compact()) : "-",
        measured ? fewest(figures, Boundary.CORE) : "-",
        measured ? fewest(figures, Boundary.L3) : "-",
        measured ? fewest(figures, Boundary.NUMA) : "-",
        counted ? percent(figures.nodeFragmentation()) : "-",
        counted ? percent(figures.use()) : "-",
        String.format(Locale.ROOT, "%.1f s", run.took().toMillis() / 1000.0));
  }

  private static String percent(Figures.Course course) {
    return Math.round(100 * course.mean()) + "%";
  }

  /** Rounded down, so that all means all. */
  private static String fewest(Figures figures, Boundary boundary) {
    Figures.Aligned aligned =
        figures.alignment().getOrDefault(boundary, new Figures.Aligned(0, 0, 0, 0));
    return (100L * aligned.fewest() / Math.max(aligned.containers(), 1)) + "%";
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("title", scenario.title()).put("machine", scenario.machine().name());
    json.put("recommended", comparison.best().candidate().label());
    comparison.why().forEach(json.putArray("why")::add);
    comparison.leftOut().forEach(json.putArray("leftOut")::add);
    ArrayNode list = json.putArray("configurations");
    for (Comparison.Run run : comparison.runs()) {
      ObjectNode one = list.addObject().put("label", run.candidate().label());
      NodeSettings settings =
          new NodeSettings(
              run.candidate().configuration(),
              scenario.settings().reconcilePeriod(),
              scenario.settings().own());
      one.put("configuration", settings.yaml()).put("took", run.took().toMillis() / 1000.0);
      one.set("figures", FiguresJson.of(run.figures()));
    }
    return json;
  }
}
