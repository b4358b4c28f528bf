package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.util.DoubleSummaryStatistics;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the README tells of the report: the line that is dated and ends with it. */
final class Quote {
  private static final String SOURCE = "[the report](docs/benchmark-report.md).";
  private static final Pattern LINE =
      Pattern.compile("(?m)^On [0-9-]{10}, .*" + Pattern.quote(SOURCE) + "$");
  private static final Pattern KUBERNETES = Pattern.compile("(?m)^- Kubernetes ([0-9.]+[0-9])");
  private static final String FILLS = "fill/";

  private final Sides sides;
  private final String date;
  private final String kubernetes;

  /** What MACHINE, where all was measured, says of Kubernetes' version is quoted. */
  Quote(Sides sides, String date, String machine) {
    this.sides = sides;
    this.date = date;
    Matcher version = KUBERNETES.matcher(machine);
    if (!version.find()) {
      throw new InvalidInputException(
          "machine.md: expected a line \"- Kubernetes VERSION, …\", found none");
    }
    kubernetes = version.group(1);
  }

  /** The README with this line in the place of the last one. */
  String in(String readme) throws IOException {
    Matcher old = LINE.matcher(readme);
    if (!old.find()) {
      throw new IOException("README.md: expected a line \"On DATE, … " + SOURCE + "\", found none");
    }
    return old.replaceFirst(Matcher.quoteReplacement(line()));
  }

  private String line() {
    DoubleSummaryStatistics cold = fills(name -> sides.berthCold().spread(name));
    return "On "
        + date
        + ", both taking turns on one machine, Berth filled machines with pods "
        + range(fills(sides::ratio))
        + " times as fast as Kubernetes "
        + kubernetes
        + "'s own managers, and admitted one pod on 8 NUMA nodes"
        + " "
        + middle("admit-one/numa8/best-effort")
        + " and on 12 "
        + middle("admit-one/numa12/best-effort")
        + " as fast, once warm; the very first fill in a fresh process, with classes from the JVM's"
        + " cache and nothing compiled yet, took "
        + Words.time(cold.getMin())
        + " to "
        + Words.time(cold.getMax())
        + ", which is "
        + range(fills(sides::coldRatio))
        + " times as fast as the first of Kubernetes': "
        + SOURCE;
  }

  private String middle(String name) {
    return sides.ratio(name).map(ratio -> Words.times(ratio.middle())).orElse("?") + " times";
  }

  private static DoubleSummaryStatistics fills(Function<String, Optional<Spread>> figure) {
    return Sides.names().stream()
        .filter(name -> name.startsWith(FILLS))
        .flatMap(name -> figure.apply(name).stream())
        .mapToDouble(Spread::middle)
        .summaryStatistics();
  }

  private static String range(DoubleSummaryStatistics ratios) {
    return Words.times(ratios.getMin()) + " to " + Words.times(ratios.getMax());
  }
}
