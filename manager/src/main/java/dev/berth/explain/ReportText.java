package dev.berth.explain;

import dev.berth.explain.Report.Verdict;
import dev.berth.ledger.Explanation;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Remedy;
import dev.berth.relief.NearMiss;
import java.util.ArrayList;
import java.util.List;

/** A report for a person: the sentence first, then what to do, how close it was, every step. */
public final class ReportText {
  private static final int NEAREST = 4;

  private final Report report;
  private final Scene scene;
  private final List<String> lines = new ArrayList<>();

  private ReportText(Report report) {
    this.report = report;
    scene = report.scene();
  }

  /** All of it. */
  public static List<String> lines(Report report) {
    return new ReportText(report).write();
  }

  private List<String> write() {
    lines.add(headline(report));
    official();
    section("", report.notes());
    section(
        "Where it " + (report.verdict() instanceof Verdict.Sits ? "sits" : "would sit"), sitting());
    section("What would help", help());
    section("How close it was", nearest());
    section(
        isThought() ? "How it would be decided" : "How it was decided",
        Explanation.lines(report.steps()));
    if (lines.stream().anyMatch(line -> line.contains("NUMA"))) {
      lines.add("");
      lines.add(
          "A NUMA node is a group of CPUs with memory close to them; CPUs below one L3 cache share"
              + " it.");
    }
    return lines.stream().map(scene::named).toList();
  }

  private boolean isThought() {
    return switch (report.verdict()) {
      case Verdict.WouldFit _, Verdict.WouldBeRefused _ -> true;
      case Verdict.Sits _, Verdict.Refused _, Verdict.Left _ -> false;
    };
  }

  /** What Kubernetes shows, where the sentence above says it in other words. */
  private void official() {
    String said =
        switch (report.verdict()) {
          case Verdict.Refused(String reason, String message) -> reason + ": " + message;
          case Verdict.WouldBeRefused(String reason, String message) -> reason + ": " + message;
          case Verdict.Sits _, Verdict.WouldFit _, Verdict.Left _ -> "";
        };
    if (!said.isEmpty() && !lines.getFirst().endsWith(said)) {
      lines.add("  in Kubernetes' words: " + said);
    }
  }

  private void section(String title, List<String> content) {
    if (content.isEmpty()) {
      return;
    }
    if (!title.isEmpty()) {
      lines.add("");
      lines.add(title + ":");
    }
    content.forEach(line -> lines.add("  " + line));
  }

  /** The one sentence. */
  static String headline(Report report) {
    String name = report.name();
    return switch (report.verdict()) {
      case Verdict.Sits sits ->
          sits.holding().allCpus().isEmpty()
              ? name + " runs on the shared pool"
              : name + " has " + cpus(sits.holding()) + " to itself";
      case Verdict.WouldFit fits ->
          fits.holding().allCpus().isEmpty()
              ? name + " would be let in, and run on the shared pool"
              : name + " would be let in, with " + cpus(fits.holding()) + " to itself";
      case Verdict.Refused no -> name + " was refused: " + cause(report, no.reason(), no.message());
      case Verdict.WouldBeRefused no ->
          name + " would be refused: " + cause(report, no.reason(), no.message());
      case Verdict.Left left -> name + " was here and is not any more: " + left.how();
    };
  }

  private static String cpus(Holding holding) {
    return (holding.allCpus().size() == 1 ? "CPU " : "CPUs ") + holding.allCpus();
  }

  /** In our words where we know better than the message that Kubernetes shows. */
  private static String cause(Report report, String reason, String message) {
    return report.cause().orElse(reason + ": " + message);
  }

  private List<String> sitting() {
    List<String> content = new ArrayList<>();
    for (Sitting one : report.sittings()) {
      content.add(Words.sitting(one, scene.node().machine()));
      if (!one.neighbours().isEmpty()) {
        content.add(
            "  below the same L3 cache have CPUs of their own: " + Words.neighbours(one, scene));
      }
    }
    return content;
  }

  private List<String> help() {
    List<String> content = new ArrayList<>();
    boolean inHeadline =
        report.cause().isPresent() && report.relief().flatMap(Cause::proved).equals(report.cause());
    if (!inHeadline) {
      report.relief().ifPresent(relief -> content.addAll(relief.lines()));
    }
    report.remedies().stream()
        .filter(remedy -> !(remedy instanceof Remedy.NotEvenEmpty))
        .filter(remedy -> !(remedy instanceof Remedy.NothingTried))
        .forEach(remedy -> content.add(remedy.text()));
    if (report.isRefused() && content.isEmpty() && inHeadline) {
      content.add("nothing on this machine: ask for less, or use a larger machine");
    }
    return content;
  }

  private List<String> nearest() {
    return report.nearMisses().stream().limit(NEAREST).map(NearMiss::text).toList();
  }
}
