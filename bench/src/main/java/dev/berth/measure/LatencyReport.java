package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import dev.berth.demo.Mark;
import dev.berth.demo.Phase;
import dev.berth.workload.CpuWish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The part of the report that is about {@code berth demo}, from what several runs of it told. */
final class LatencyReport {
  private static final String BEGIN = "\n## A CPU of one's own\n";

  /** As much as p99.9 leaves out; who loses it has lost the figure. */
  private static final double MUCH = 0.001;

  private final Path folder;
  private final List<JsonNode> runs;

  private LatencyReport(Path folder, List<JsonNode> runs) {
    this.folder = folder;
    this.runs = runs;
  }

  /** FOLDER of figures and the REPORT, in which the section is put in the place of the last one. */
  public static void main(String... arguments) throws IOException {
    Path report = Path.of(arguments[1]);
    String section = section(Path.of(arguments[0]));
    Files.writeString(report, replaced(Files.readString(report), section));
    System.out.println(section);
  }

  /** The section; empty where nothing was measured. */
  static String section(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return "";
    }
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files =
          found
              .filter(file -> String.valueOf(file.getFileName()).matches("latency-[0-9]+\\.json"))
              .sorted()
              .toList();
    }
    List<JsonNode> runs = new ArrayList<>();
    for (Path file : files) {
      JsonNode run = JsonMapper.shared().readTree(Files.readString(file));
      JsonNode own = run.path("phases").path(Phase.EXCLUSIVE.word());
      if (!own.has(Mark.P999.word()) || own.path("histogram").isEmpty()) {
        throw new InvalidInputException(file + ": expected what berth demo tells, found another");
      }
      runs.add(run);
    }
    return runs.isEmpty() ? "" : new LatencyReport(folder, runs).write();
  }

  /** The section of a report; empty where it has none. */
  static String sectionOf(String report) {
    int from = report.indexOf(BEGIN);
    return from < 0 ? "" : report.substring(from, end(report, from));
  }

  static String replaced(String report, String section) {
    int from = report.indexOf(BEGIN);
    return from < 0
        ? report + section
        : report.substring(0, from) + section + report.substring(end(report, from));
  }

  /** It stands until the next heading, or at the end. */
  private static int end(String report, int from) {
    int next = report.indexOf("\n## ", from + BEGIN.length());
    return next < 0 ? report.length() : next;
  }

  private String write() throws IOException {
    StringBuilder text = new StringBuilder(BEGIN);
    text.append("\nWritten by `bench/latency`, which is run for itself:\n\n");
    text.append(Files.readString(folder.resolve("machine.md")));
    text.append("\nHow late a program woke for a request, by `berth demo` ([demo.md](demo.md)): ");
    text.append("on the idle machine, on CPUs shared with greedy neighbours, and on a CPU of its");
    text.append(" own beside them. ").append(runs.size()).append(" runs, each with ");
    text.append(runs.getFirst().path("slices").asInt()).append(" slices of both in turns.");
    text.append(" Medians over the runs, with");
    text.append(" the lowest and the highest. Stolen: the part of these CPUs' time that the host");
    text.append(" took. Others: the part that programs other than the one measured used; on a CPU");
    text.append(" of its own, such as Berth did not start. ").append(kept()).append("\n\n| |");
    for (Mark mark : Mark.values()) {
      text.append(' ').append(mark.word()).append(" |");
    }
    text.append(" stolen | others |\n|---|--:|--:|--:|--:|--:|--:|\n");
    phase(text, "idle", Phase.IDLE);
    phase(text, "shared", Phase.SHARED);
    phase(text, "on its own", Phase.EXCLUSIVE);
    ratio(text, "shared over own", Phase.SHARED, Phase.EXCLUSIVE);
    ratio(text, "own over idle", Phase.EXCLUSIVE, Phase.IDLE);
    ratio(text, "shared over idle", Phase.SHARED, Phase.IDLE);
    text.append('\n').append(verdict().words());
    limits(text);
    return text.append('\n').toString();
  }

  private LatencyVerdict verdict() {
    double ofMedians =
        at(Phase.SHARED, Mark.P999).middle() / at(Phase.EXCLUSIVE, Mark.P999).middle();
    long reached =
        runs.stream()
            .filter(run ->
                ratio(run, Phase.SHARED, Phase.EXCLUSIVE, Mark.P999) >= LatencyVerdict.LEAST_RATIO)
            .count();
    return new LatencyVerdict(
        ratios(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999).middle(),
        ofMedians,
        new Pool(runs).ratio(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999),
        reached,
        runs.size());
  }

  /** What the machine allowed, whether that was enough or not. */
  private void limits(StringBuilder text) {
    double idle = ratios(Phase.SHARED, Phase.IDLE, Mark.P999).middle();
    double pooledIdle = new Pool(runs).ratio(Phase.SHARED, Phase.IDLE, Mark.P999);
    text.append(" With nobody else on the machine, not kept awake nor undisturbed, it is ");
    text.append(Words.times(idle)).append(" × by the median of the ratios and ");
    text.append(Words.times(pooledIdle)).append(" × of all requests together: about so much there");
    text.append(" was to gain.");
    double taken = spread(run -> of(run, Phase.EXCLUSIVE).path("stolen").asDouble()).middle();
    text.append(String.format(Locale.ROOT, " The host took %.2f %% of the CPU", 100 * taken));
    text.append(" that was to be its own, which is ");
    text.append(
        taken >= MUCH
            ? "as much as p99.9 leaves out, or more: it may be the host that was measured."
            : "less than the one in a thousand that p99.9 leaves out.");
  }

  /** What held of the CPU beside being its own, each of which is another measurement. */
  private String kept() {
    return Arrays.stream(CpuWish.values()).map(this::kept).collect(Collectors.joining(" "));
  }

  private String kept(CpuWish wish) {
    long held = runs.stream().filter(run -> run.path(wish.word()).asBoolean(false)).count();
    if (held == 0) {
      return "The CPU of its own was not kept " + wish.word() + ".";
    }
    return held == runs.size()
        ? "The CPU of its own was kept "
            + wish.word()
            + " ([agent.md](agent.md#"
            + place(wish)
            + "))."
        : "The CPU of its own was kept " + wish.word() + " in " + held + " of the runs only.";
  }

  private static String place(CpuWish wish) {
    return switch (wish) {
      case AWAKE -> "cpus-that-stay-awake";
      case UNDISTURBED -> "cpus-that-nobody-disturbs";
    };
  }

  private Spread spread(ToDoubleFunction<JsonNode> figure) {
    return Spread.of(runs.stream().map(figure::applyAsDouble).toList());
  }

  private void phase(StringBuilder text, String name, Phase phase) {
    text.append("| ").append(name).append(" |");
    for (Mark mark : Mark.values()) {
      Spread spread = at(phase, mark);
      text.append(' ').append(Words.time(spread.middle()));
      text.append(" (").append(Words.time(spread.low())).append(" – ");
      text.append(Words.time(spread.high())).append(") |");
    }
    for (String share : List.of("stolen", "others")) {
      double middle = spread(run -> of(run, phase).path(share).asDouble()).middle();
      text.append(String.format(Locale.ROOT, " %.1f %% |", 100 * middle));
    }
    text.append('\n');
  }

  private Spread at(Phase phase, Mark mark) {
    return spread(run -> of(run, phase).path(mark.word()).asDouble());
  }

  private static JsonNode of(JsonNode run, Phase phase) {
    return run.path("phases").path(phase.word());
  }

  private Spread ratios(Phase over, Phase under, Mark mark) {
    return spread(run -> ratio(run, over, under, mark));
  }

  private static double ratio(JsonNode run, Phase over, Phase under, Mark mark) {
    return of(run, over).path(mark.word()).asDouble() / of(run, under).path(mark.word()).asDouble();
  }

  private void ratio(StringBuilder text, String name, Phase over, Phase under) {
    text.append("| ").append(name).append(" |");
    for (Mark mark : Mark.values()) {
      Spread spread = ratios(over, under, mark);
      text.append(' ').append(Words.times(spread.middle())).append(" × (");
      text.append(Words.times(spread.low())).append(" – ");
      text.append(Words.times(spread.high())).append(") |");
    }
    text.append(" | |\n");
  }
}
