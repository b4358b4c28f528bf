package dev.berth.bench;

import dev.berth.cpu.InvalidInputException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What workloads must reach: so many times Kubernetes' speed, or a time.
 *
 * <p>One a line: a workload's name and {@code 300x} (at least so many times as fast) or {@code
 * 100000ns} (at most that long). Empty lines and those that begin with {@code #} are passed over.
 *
 * <p>A ratio may be asked for with slack, because a noisy machine need not be as noisy while each
 * of both sides is timed. A time is held as it is.
 */
public final class Floors {
  private sealed interface Floor {
    record Times(double least) implements Floor {}

    record Nanos(long most) implements Floor {}
  }

  private final Map<String, Floor> floors = new LinkedHashMap<>();

  private Floors() {}

  /** No floors. */
  public static Floors none() {
    return new Floors();
  }

  /**
   * Reads floors.
   *
   * @param source what the file is called in an error
   */
  public static Floors parse(String source, List<String> lines) {
    Floors floors = new Floors();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        String[] words = line.split("\\s+", -1);
        if (words.length != 2 || !words[1].matches("[0-9]{1,12}(x|ns)")) {
          throw new InvalidInputException(
              source
                  + ":"
                  + (i + 1)
                  + ": expected a name and a floor such as 300x or 1000ns, found \""
                  + line
                  + "\"");
        }
        floors.floors.put(words[0], floor(words[1]));
      }
    }
    return floors;
  }

  /**
   * The same with every ratio divided.
   *
   * @param slack by how much; 1 or more
   */
  public Floors within(double slack) {
    Floors eased = new Floors();
    floors.forEach((name, floor) ->
        eased.floors.put(
            name,
            switch (floor) {
              case Floor.Nanos time -> time;
              case Floor.Times(double least) -> new Floor.Times(least / slack);
            }));
    return eased;
  }

  private static Floor floor(String word) {
    return word.endsWith("ns")
        ? new Floor.Nanos(Long.parseLong(word.substring(0, word.length() - 2)))
        : new Floor.Times(Double.parseDouble(word.substring(0, word.length() - 1)));
  }

  /**
   * Refuses floors for workloads that do not exist, which nobody could ever miss.
   *
   * @param source what the file is called in the error
   */
  public void check(String source, Collection<NamedWorkload> all) {
    Set<String> names = all.stream().map(NamedWorkload::name).collect(Collectors.toSet());
    for (String name : floors.keySet()) {
      if (!names.contains(name)) {
        throw new InvalidInputException(
            source + ": expected names that berth bench --list tells, found \"" + name + "\"");
      }
    }
  }

  /** What a workload must reach, in words, where it must. */
  public Optional<String> told(String name) {
    return switch (floors.get(name)) {
      case null -> Optional.empty();
      case Floor.Nanos(long most) -> Optional.of(most / 1_000 + " µs");
      case Floor.Times(double least) -> Optional.of(String.format(Locale.ROOT, "%,.0f ×", least));
    };
  }

  /**
   * What a workload falls short of, as the end of a sentence.
   *
   * @param ratio how many times Kubernetes' speed, where that was measured
   */
  public Optional<String> missed(String name, long ns, Optional<Double> ratio) {
    return switch (floors.get(name)) {
      case null -> Optional.empty();
      case Floor.Nanos(long most) ->
          ns <= most
              ? Optional.empty()
              : Optional.of("expected at most " + most + " ns, found " + ns);
      case Floor.Times(double least) ->
          ratio.isPresent() && ratio.get() >= least
              ? Optional.empty()
              : Optional.of(
                  "expected at least "
                      + times(least)
                      + " times Kubernetes' speed, "
                      + ratio
                          .map(found -> "found " + times(found))
                          .orElse("which was not measured"));
    };
  }

  /** Without a decimal that says nothing. */
  private static String times(double ratio) {
    String words = String.format(Locale.ROOT, "%.1f", ratio);
    return words.endsWith(".0") ? words.substring(0, words.length() - 2) : words;
  }
}
