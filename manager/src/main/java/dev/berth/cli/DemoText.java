package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.demo.Mark;
import dev.berth.demo.Outcome;
import dev.berth.demo.Phase;
import dev.berth.demo.Probe;
import dev.berth.demo.Reading;
import dev.berth.terminal.TextTable;
import dev.berth.workload.CpuWish;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a demonstration came to, for people.
 *
 * @param caution what the agent says about how it keeps processes apart; empty where all is well
 * @param width columns of a line
 */
record DemoText(DemoSetting setting, Outcome outcome, String caution, int width) {
  /** More than this share of a CPU is worth a word. */
  private static final double MENTIONED = 0.02;

  /** Of less than this share the kernel's ticks tell nothing: short work falls between them. */
  private static final double SEEN = 0.01;

  /** Less is within what two runs of the same differ by. */
  private static final double LEAST_RATIO = 1.5;

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(paragraph(introduction())).append('\n');
    text.append(paragraph("So many of the requests waited at most:"));
    text.append(TextTable.shortened(table(), width, 0)).append('\n');
    text.append(
        new DemoChart(
                outcome.of(Phase.SHARED).latencies(),
                outcome.of(Phase.EXCLUSIVE).latencies(),
                width)
            .text());
    text.append('\n').append(paragraph(verdict()));
    remarks().forEach(remark -> text.append(paragraph(remark)));
    return text.toString();
  }

  private String paragraph(String words) {
    return Paragraph.of(words, 0, width);
  }

  private String introduction() {
    Reading own = outcome.of(Phase.EXCLUSIVE);
    return String.format(
        Locale.ROOT,
        "A small program waits for a request every %s, and this is how late it woke for each."
            + " Greedy neighbours kept %s busy meanwhile: first the program shared these CPUs with"
            + " them, then Berth gave it %s alone, in turns, %d s each.%s",
        Durations.words(Probe.PERIOD_NANOS),
        cpus(outcome.of(Phase.SHARED).cpus()),
        cpus(own.cpus()),
        setting.seconds(),
        own.kept().isEmpty() ? "" : kept(own));
  }

  private static String kept(Reading own) {
    return (own.cpus().size() == 1 ? " That CPU was kept " : " Those CPUs were kept ")
        + own.kept().stream().map(CpuWish::word).sorted().collect(Collectors.joining(" and "))
        + ".";
  }

  static String cpus(CpuSet cpus) {
    return (cpus.size() == 1 ? "CPU " : "CPUs ") + cpus;
  }

  private List<List<String>> table() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "half", "99 %", "99.9 %", "worst", "stolen", "others"));
    rows.add(row("idle machine", outcome.of(Phase.IDLE)));
    rows.add(row("shared", outcome.of(Phase.SHARED)));
    rows.add(row("on its own", outcome.of(Phase.EXCLUSIVE)));
    rows.add(ratios("shared / own", Phase.SHARED, Phase.EXCLUSIVE));
    rows.add(ratios("own / idle", Phase.EXCLUSIVE, Phase.IDLE));
    return rows;
  }

  private static List<String> row(String name, Reading reading) {
    List<String> row = new ArrayList<>(List.of(name));
    for (Mark mark : Mark.values()) {
      row.add(Durations.words(mark.of(reading.latencies())));
    }
    row.add(percent(reading.stolen()));
    row.add(reading.others() < SEEN ? "< 1 %" : percent(reading.others()));
    return row;
  }

  private List<String> ratios(String name, Phase over, Phase under) {
    List<String> row = new ArrayList<>(List.of(name));
    for (Mark mark : Mark.values()) {
      row.add(times(outcome.ratio(over, under, mark)) + " ×");
    }
    row.addAll(List.of("", ""));
    return row;
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, ratio < 10 ? "%.1f" : "%,.0f", ratio);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private String verdict() {
    double ratio = outcome.ratio(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999);
    String shared = Durations.words(Mark.P999.of(outcome.of(Phase.SHARED).latencies()));
    String own = Durations.words(Mark.P999.of(outcome.of(Phase.EXCLUSIVE).latencies()));
    String both =
        "Of 1,000 requests, 999 waited no longer than "
            + own
            + " on a CPU of its own, and no longer than "
            + shared
            + " on shared ones";
    return both + ": " + gain(ratio) + ".";
  }

  /** What a ratio of two tails is worth. */
  static String gain(double ratio) {
    return ratio < LEAST_RATIO
        ? "no gain that this run could show"
        : "the tail is " + times(ratio) + " times shorter";
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    remarks.add(
        "Stolen: the part of these CPUs' time that the host of this machine gave to others."
            + " Others: the part that other programs used, the neighbours among them.");
    new DemoCalm(outcome).words().ifPresent(remarks::add);
    Reading own = outcome.of(Phase.EXCLUSIVE);
    if (own.others() > MENTIONED) {
      remarks.add(
          "Programs that Berth did not start used "
              + percent(own.others())
              + " of the time of "
              + cpus(own.cpus())
              + ", and made it worse; docs/agent.md tells how to keep them off.");
    }
    if (own.stolen() > MENTIONED || outcome.of(Phase.SHARED).stolen() > MENTIONED) {
      remarks.add("The host stole enough to be seen: no manager on this machine can mend that.");
    }
    for (CpuWish wish : CpuWish.values()) {
      if (setting.wishes().contains(wish) && !own.kept().contains(wish)) {
        remarks.add(cpus(own.cpus()) + " could not be kept " + wish.word() + " on this machine.");
      }
    }
    if (!caution.isEmpty()) {
      remarks.add("The agent says: " + caution);
    }
    return remarks;
  }
}
