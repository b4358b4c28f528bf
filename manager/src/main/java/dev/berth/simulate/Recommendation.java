package dev.berth.simulate;

import dev.berth.simulate.Comparison.Run;
import java.util.ArrayList;
import java.util.List;

/** Says in words why one configuration is the best of those compared. */
record Recommendation(Comparison comparison) {
  List<String> lines() {
    Run best = comparison.best();
    if (comparison.runs().stream().allMatch(run -> run.figures().exclusive() == 0)) {
      return List.of(
          "no pod was given CPUs of its own under any configuration, so none is better than "
              + comparison.best().candidate().label());
    }
    List<String> lines = new ArrayList<>();
    lines.add(best.candidate().label() + " " + told(best.figures()) + ".");
    Run given = comparison.given();
    if (!isSame(given, best)) {
      lines.add("The configuration as given " + against(best, given) + ".");
    }
    comparison.runs().stream()
        .skip(1)
        .filter(run -> run.figures().exclusive() > 0)
        .filter(run -> run.figures().refusedInAll() < best.figures().refusedInAll())
        .min(Recommendation::byRefusals)
        .ifPresent(run -> lines.add(run.candidate().label() + " " + against(best, run) + "."));
    return lines;
  }

  /** By their labels, which differ: whole runs are compared by what is made at run time. */
  private static boolean isSame(Run one, Run other) {
    return one.candidate().label().equals(other.candidate().label());
  }

  /** By hand: the JDK's own comparator is made at run time. */
  private static int byRefusals(Run one, Run other) {
    return Integer.compare(one.figures().refusedInAll(), other.figures().refusedInAll());
  }

  private static String told(Figures figures) {
    String refusals =
        figures.refusedInAll() == 0
            ? "refuses nobody"
            : "refuses " + figures.refusedInAll() + " of " + figures.came();
    int loose = figures.exclusive() - figures.compact();
    String lie =
        loose == 0
            ? (figures.exclusive() == 1
                ? "the one with CPUs of its own lies"
                : "all " + figures.exclusive() + " with CPUs of their own lie")
            : figures.compact() + " of " + figures.exclusive() + " with CPUs of their own lie";
    return refusals + (loose == 0 ? ", and " : "; ") + lie + " as compactly as on an empty machine";
  }

  /** What another does that the best does not. */
  private static String against(Run best, Run other) {
    int fewer = best.figures().refusedInAll() - other.figures().refusedInAll();
    int loose = other.figures().exclusive() - other.figures().compact();
    int bestLoose = best.figures().exclusive() - best.figures().compact();
    String admits =
        fewer == 0
            ? "refuses as many"
            : fewer > 0 ? "lets in " + fewer + " more" : "refuses " + -fewer + " more";
    if (other.figures().exclusive() == 0) {
      return admits + ", and gives nobody CPUs of its own";
    }
    return admits
        + (fewer > 0 && loose > bestLoose ? ", but leaves " : " and leaves ")
        + loose
        + " less compact"
        + (bestLoose == 0 ? "" : " rather than " + bestLoose);
  }
}
