package dev.berth.simulate;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.GoDuration;
import dev.berth.kubelet.Nearest;
import dev.berth.kubelet.PodTemplate;
import dev.berth.kubelet.PodTemplate.Annotation;
import dev.berth.story.Story;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;

/**
 * How often a pod comes, when, and how long each stays, as its annotations say.
 *
 * @param count how many
 * @param arrives when the first comes, in milliseconds
 * @param every how far apart they come
 * @param stays how long each stays; none for ever
 */
record Schedule(int count, long arrives, Span every, Optional<Span> stays) {
  static final String PREFIX = "simulate.berth.dev/";

  /** More would only be a mistake. */
  static final int MOST = 1_000_000;

  private static final List<String> NAMES = List.of("count", "arrives", "every", "stays");

  /**
   * A length of time: always the same, or drawn so that any moment is as likely as another.
   *
   * @param millis its length, or its mean
   * @param drawn whether it is drawn from the exponential distribution
   */
  record Span(long millis, boolean drawn) {
    long next(SplittableRandom random) {
      return drawn ? Math.round(-millis * Math.log1p(-random.nextDouble())) : millis;
    }
  }

  /** Writes down how long a pod would stay, for a story does not tell that of one it refuses. */
  static Story.Told withStay(Story.Told told, long millis) {
    return told.annotated(PREFIX + "stays", millis + "ms");
  }

  /** How long a pod would stay that a story tells of; none for ever. */
  static Optional<Long> stay(String place, Story.Told told) {
    JsonNode text = told.manifest().path("metadata").path("annotations").path(PREFIX + "stays");
    return text.isString()
        ? Optional.of(Math.max(1, millis(new Annotation(text.stringValue(), place))))
        : Optional.empty();
  }

  static Schedule of(PodTemplate template) {
    Map<String, Annotation> annotations = template.annotations();
    annotations.forEach(Schedule::check);
    return new Schedule(
        find(annotations, "count").map(Schedule::count).orElse(template.replicas()),
        find(annotations, "arrives").map(Schedule::millis).orElse(0L),
        find(annotations, "every").map(it -> span(it, "poisson")).orElse(new Span(0, false)),
        find(annotations, "stays").map(it -> lasting(span(it, "exponential"), it)));
  }

  private static Optional<Annotation> find(Map<String, Annotation> annotations, String name) {
    return Optional.ofNullable(annotations.get(PREFIX + name));
  }

  private static void check(String name, Annotation annotation) {
    if (!name.startsWith(PREFIX) || NAMES.contains(name.substring(PREFIX.length()))) {
      return;
    }
    String hint =
        Nearest.to(name.substring(PREFIX.length()), NAMES)
            .map(near -> ", did you mean " + PREFIX + near + "?")
            .orElse("");
    throw error(annotation, "one of " + String.join(", ", NAMES), "\"" + name + "\"" + hint);
  }

  private static int count(Annotation annotation) {
    if (!annotation.text().matches("[0-9]{1,7}") || Integer.parseInt(annotation.text()) > MOST) {
      throw error(annotation, "a number from 0 to " + MOST);
    }
    return Integer.parseInt(annotation.text());
  }

  private static long millis(Annotation annotation) {
    return millis(annotation, annotation.text());
  }

  private static long millis(Annotation annotation, String text) {
    try {
      return GoDuration.parse(text).toMillis();
    } catch (InvalidInputException e) {
      throw new InvalidInputException(annotation.place() + ": " + e.line(), e);
    }
  }

  private static Span span(Annotation annotation, String word) {
    String text = annotation.text();
    return text.startsWith(word + " ")
        ? new Span(millis(annotation, text.substring(word.length() + 1).strip()), true)
        : new Span(millis(annotation, text), false);
  }

  private static Span lasting(Span span, Annotation annotation) {
    if (span.millis() == 0) {
      throw error(annotation, "at least 1ms");
    }
    return span;
  }

  private static InvalidInputException error(Annotation annotation, String expected) {
    return error(annotation, expected, "\"" + annotation.text() + "\"");
  }

  private static InvalidInputException error(Annotation annotation, String expected, String found) {
    return new InvalidInputException(
        annotation.place() + ": expected " + expected + ", found " + found);
  }
}
