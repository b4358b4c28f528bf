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

/** The part of the report that is about {@code berth demo}, from what several runs of it told. */
final class LatencyReport {
  private static final String BEGIN = "\n## A CPU of one's own\n";

  private final Path folder;
  private final List<JsonNode> runs;
  private final Tails all;
  private final Tails calm;

  private LatencyReport(Path folder, List<JsonNode> runs) {
    this.folder = folder;
    this.runs = runs;
    all = new Tails(Which.ALL, runs);
    calm = new Tails(Which.CALM, runs);
  }

  /** FOLDER of figures and the REPORT, in which the section is put in the place of the last one. */
  public static void main(String... arguments) {
    OneLine.run(() -> {
      System.out.println(write(Path.of(arguments[0]), Path.of(arguments[1])));
      return 0;
    });
  }

  /** The section, once it is in the report. */
  static String write(Path folder, Path report) throws IOException {
    String section = section(folder);
    if (section.isEmpty()) { // which would cut out the last one
      throw new InvalidInputException(
          folder + ": expected latency-N.json of bench/latency, found none");
    }
    Files.writeString(report, replaced(Files.readString(report), section));
    return section;
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
      JsonNode run = JsonFile.read(file);
      for (Phase phase : Phase.values()) {
        JsonNode one = Which.ALL.of(run, phase);
        if (!one.has(Mark.P999.word()) || one.path("histogram").isEmpty()) {
          throw new InvalidInputException(file + ": expected what berth demo tells, found another");
        }
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
    text.append(" of its own, such as Berth did not start. ").append(kept()).append("\n\n");
    head(text, " stolen | others |");
    phase(text, "idle", Phase.IDLE);
    phase(text, "shared", Phase.SHARED);
    phase(text, "on its own", Phase.EXCLUSIVE);
    ratio(text, "shared over own", Phase.SHARED, Phase.EXCLUSIVE);
    ratio(text, "own over idle", Phase.EXCLUSIVE, Phase.IDLE);
    ratio(text, "shared over idle", Phase.SHARED, Phase.IDLE);
    calm(text);
    text.append('\n').append(verdict().words());
    limits(text);
    return text.append('\n').toString();
  }

  private static void head(StringBuilder text, String more) {
    text.append("| |");
    for (Mark mark : Mark.values()) {
      text.append(' ').append(mark.word()).append(" |");
    }
    text.append(more).append("\n|---|");
    text.repeat("--:|", Mark.values().length + (int) more.chars().filter(c -> c == '|').count());
    text.append('\n');
  }

  /** The requests of moments that the host left alone, beside all of them. */
  private void calm(StringBuilder text) {
    text.append("\nThe same of calm requests alone, with the moments set aside in which the host");
    text.append(" took any of these CPUs ([demo.md](demo.md#calm-moments))");
    if (calm.runs() < runs.size()) {
      text.append("; ").append(runs.size() - calm.runs()).append(" of the ").append(runs.size());
      text.append(" runs have too few of them for figures");
    }
    text.append(".\n");
    if (!calm.areEnough()) {
      return;
    }
    text.append('\n');
    head(text, " set aside |");
    calm(text, "shared", Phase.SHARED);
    calm(text, "on its own", Phase.EXCLUSIVE);
    text.append("| shared over own |").append(calm.cells(Phase.SHARED, Phase.EXCLUSIVE));
    text.append(" |\n");
  }

  private void calm(StringBuilder text, String name, Phase phase) {
    text.append("| ").append(name).append(" |").append(calm.cells(phase));
    percent(text, run -> 1 - count(Which.CALM, run, phase) / count(Which.ALL, run, phase));
    text.append('\n');
  }

  private static double count(Which which, JsonNode run, Phase phase) {
    return which.of(run, phase).path("requests").asDouble();
  }

  private LatencyVerdict verdict() {
    return new LatencyVerdict(
        all.atThousandth().orElseThrow(),
        calm.atThousandth(),
        taken(Phase.EXCLUSIVE),
        taken(Phase.SHARED));
  }

  /** Of all runs together, as their requests are: the median would hide the host's worst. */
  private double taken(Phase phase) {
    return runs.stream()
        .mapToDouble(run -> Which.ALL.of(run, phase).path("stolen").asDouble())
        .average()
        .orElseThrow();
  }

  /**
   * What the machine had with nobody else on it. That is no bound: its CPUs sleep, and a CPU of
   * one's own that does not may be better.
   */
  private void limits(StringBuilder text) {
    double idle = all.ratios(Phase.SHARED, Phase.IDLE, Mark.P999).middle();
    double pooledIdle = all.pooled(Phase.SHARED, Phase.IDLE, Mark.P999);
    boolean better = all.ratios(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999).middle() > idle;
    boolean pooledBetter = all.pooled(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999) > pooledIdle;
    text.append(" The idle machine, whose CPUs sleep and are disturbed, had ");
    text.append(Words.times(idle))
        .append(" × against shared ones by the median of the ratios and ");
    text.append(Words.times(pooledIdle)).append(" × of all requests together: ");
    if (better && pooledBetter) {
      text.append("a CPU of one's own was better than that").append(reason()).append('.');
    } else if (better || pooledBetter) {
      text.append("a CPU of one's own was better than that by one of the two.");
    } else {
      text.append("about so much there was to gain.");
    }
  }

  /** Why it can be better than the idle machine, as far as it held in all runs. */
  private String reason() {
    String held =
        Arrays.stream(CpuWish.values())
            .filter(wish -> held(wish) == runs.size())
            .map(CpuWish::word)
            .collect(Collectors.joining(" and "));
    return held.isEmpty() ? "" : ", for it was kept " + held;
  }

  private long held(CpuWish wish) {
    return runs.stream().filter(run -> run.path(wish.word()).asBoolean(false)).count();
  }

  /** What held of the CPU beside being its own, each of which is another measurement. */
  private String kept() {
    return Arrays.stream(CpuWish.values()).map(this::kept).collect(Collectors.joining(" "));
  }

  private String kept(CpuWish wish) {
    long held = held(wish);
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

  private void phase(StringBuilder text, String name, Phase phase) {
    text.append("| ").append(name).append(" |").append(all.cells(phase));
    for (String share : List.of("stolen", "others")) {
      percent(text, run -> Which.ALL.of(run, phase).path(share).asDouble());
    }
    text.append('\n');
  }

  /** A cell with the median of shares. */
  private void percent(StringBuilder text, ToDoubleFunction<JsonNode> share) {
    double middle = Spread.of(runs.stream().map(share::applyAsDouble).toList()).middle();
    text.append(String.format(Locale.ROOT, " %.1f %% |", 100 * middle));
  }

  private void ratio(StringBuilder text, String name, Phase over, Phase under) {
    text.append("| ").append(name).append(" |").append(all.cells(over, under)).append(" | |\n");
  }
}
