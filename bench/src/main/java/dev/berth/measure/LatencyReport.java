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

  private static final double LEAST_RATIO = 5;

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
      if (!run.path("phases").path(Phase.EXCLUSIVE.word()).has(Mark.P999.word())) {
        throw new InvalidInputException(file + ": expected what berth demo tells, found another");
      }
      runs.add(run);
    }
    return runs.isEmpty() ? "" : new LatencyReport(folder, runs).write();
  }

  /** It stands until the next heading, or at the end. */
  static String replaced(String report, String section) {
    int from = report.indexOf(BEGIN);
    if (from < 0) {
      return report + section;
    }
    int next = report.indexOf("\n## ", from + BEGIN.length());
    return report.substring(0, from) + section + (next < 0 ? "" : report.substring(next));
  }

  private String write() throws IOException {
    StringBuilder text = new StringBuilder(BEGIN);
    text.append("\nHow late a program woke for a request, by `berth demo` ([demo.md](demo.md)): ");
    text.append("on the idle machine, on CPUs shared with greedy neighbours, and on a CPU of its");
    text.append(" own beside them. ").append(runs.size()).append(" runs on ");
    text.append(lines("date.txt")).append(", each with ");
    text.append(runs.getFirst().path("slices").asInt()).append(" slices of both in turns; load");
    text.append(" before each: ")
        .append(lines("loads.txt"))
        .append(". Medians over the runs, with");
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
    boolean reached = ratios(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999).middle() >= LEAST_RATIO;
    text.append("\nAsked: at p99.9 5 × better than shared, ");
    text.append(reached ? "reached." : "**missed**.");
    double idle = ratios(Phase.SHARED, Phase.IDLE, Mark.P999).middle();
    if (!reached && idle < LEAST_RATIO) {
      text.append(" With nobody else there it is ").append(Words.times(idle));
      text.append(" × better: so much there was to gain on this machine.");
    }
    double taken = spread(run -> of(run, Phase.EXCLUSIVE).path("stolen").asDouble()).middle();
    if (!reached && taken >= MUCH) {
      text.append(String.format(Locale.ROOT, " The host took %.1f %% of the CPU", 100 * taken));
      text.append(" that was to be its own, which is more than one in a thousand: it may be");
      text.append(" the host that was measured.");
    }
    return text.append('\n').toString();
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

  private String lines(String file) throws IOException {
    return String.join(" ", Files.readAllLines(folder.resolve(file)));
  }

  private Spread spread(ToDoubleFunction<JsonNode> figure) {
    return Spread.of(runs.stream().map(figure::applyAsDouble).toList());
  }

  private void phase(StringBuilder text, String name, Phase phase) {
    text.append("| ").append(name).append(" |");
    for (Mark mark : Mark.values()) {
      Spread spread = spread(run -> of(run, phase).path(mark.word()).asDouble());
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

  private static JsonNode of(JsonNode run, Phase phase) {
    return run.path("phases").path(phase.word());
  }

  private Spread ratios(Phase over, Phase under, Mark mark) {
    return spread(run ->
        of(run, over).path(mark.word()).asDouble() / of(run, under).path(mark.word()).asDouble());
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
