package dev.berth.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The part of the report that is about files: discovery, and admissions that are on the disk. */
final class DiskReport {
  private static final double MOST_DISCOVERY_NANOS = 100e6;
  private static final double MOST_DURABLE_RATIO = 1.3;

  private final Figures discovery;
  private final Figures durable;
  private final Verdicts verdicts;

  DiskReport(Path folder, Verdicts verdicts) throws IOException {
    this.verdicts = verdicts;
    discovery = Figures.read(folder, "discovery");
    durable = Figures.read(folder, "durable");
  }

  void write(StringBuilder text) {
    discovery(text);
    durable(text);
  }

  private void discovery(StringBuilder text) {
    Spread first = Spread.of(discovery.some("discovery/512"));
    Spread reading = Spread.of(discovery.some("reading/512"));
    Spread ratio = Spread.of(ratios(discovery, "reading/512", "discovery/512"));
    text.append("\n## Discovery\n\n");
    text.append("The first discovery of a machine of 512 CPUs from its `/sys` tree (copied to a");
    text.append(
        " disk) in a fresh JVM, as `berth` starts it, with the page cache warm; and the same");
    text.append(" files only read, in a fresh JVM too (");
    text.append(discovery.outcome("reading/512")).append(").\n\n");
    text.append("| | median | lowest – highest |\n|---|--:|--:|\n");
    times(text, "discovery", first);
    times(text, "reading the files alone", reading);
    ratio(text, "discovery over reading", ratio);
    verdict(text, "discovery", first.middle() <= MOST_DISCOVERY_NANOS, "below 100 ms");
  }

  private void durable(StringBuilder text) {
    Spread admission = Spread.ofMiddleHalf(durable.some("durable/admission"));
    Spread bare = Spread.ofMiddleHalf(durable.some("durable/bare"));
    Spread ratio = Spread.ofMiddleHalf(ratios(durable, "durable/bare", "durable/admission"));
    text.append("\n## Durable admission\n\n");
    text.append(
        "A decision that is in the journal and in Kubernetes' checkpoint on the disk before");
    text.append(
        " anybody acts on it, beside the same bytes written and synced (journal, checkpoint,");
    text.append(" folder) by a loop that does nothing else. ");
    text.append(durable.some("durable/bare").size()).append(" pairs, taking turns, with the");
    text.append(" JVM's flags that the agent runs with.\n\n");
    text.append("| | median | middle half |\n|---|--:|--:|\n");
    times(text, "admission", admission);
    times(text, "the same writes, bare", bare);
    ratio(text, "admission over bare, pair by pair", ratio);
    double ofMedians = admission.middle() / bare.middle();
    text.append("| median over median | ").append(Words.times(ofMedians)).append(" × | |\n");
    verdict(text, "durable admission", ofMedians <= MOST_DURABLE_RATIO, "within 1.3 ×");
  }

  private static List<Double> ratios(Figures figures, String under, String over) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < figures.all(under).size(); i++) {
      ratios.add(figures.all(over).get(i) / figures.all(under).get(i));
    }
    return ratios;
  }

  private static void times(StringBuilder text, String what, Spread spread) {
    text.append("| ").append(what).append(" | ").append(Words.time(spread.middle())).append(" | ");
    text.append(Words.time(spread.low())).append(" – ").append(Words.time(spread.high()));
    text.append(" |\n");
  }

  private static void ratio(StringBuilder text, String what, Spread spread) {
    text.append("| ").append(what).append(" | ").append(Words.times(spread.middle()));
    text.append(" × | ").append(Words.times(spread.low())).append(" – ");
    text.append(Words.times(spread.high())).append(" |\n");
  }

  private void verdict(StringBuilder text, String what, boolean reached, String asked) {
    text.append("\nAsked: ").append(asked).append(", ");
    text.append(verdicts.of(what, reached)).append(".\n");
  }
}
