package dev.berth.cli;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option of a command: its names, what it takes, what it says of itself, and the field that it
 * sets. What the field has when this is told is its value where the option is not given.
 */
final class Option implements Part {
  private final OptionSpec.Builder builder;

  private Option(OptionSpec.Builder builder) {
    this.builder = builder;
  }

  static Option named(String name, String... others) {
    return new Option(OptionSpec.builder(name, others));
  }

  /** Says what a command is for, rather than have it do something. */
  static Option help() {
    return new Option(OptionSpec.builder("-h", "--help").usageHelp(true)).flag(_ -> {});
  }

  /** Says which version this is, rather than have a command do something. */
  static Option version() {
    return new Option(OptionSpec.builder("-V", "--version").versionHelp(true)).flag(_ -> {});
  }

  /** Takes nothing: it is given or not. */
  Option flag(Consumer<Boolean> field) {
    builder.type(boolean.class);
    return sets(new Place<>(false, field));
  }

  /**
   * Takes a value.
   *
   * @param label the word for it
   * @param first the field's value
   */
  <T> Option takes(String label, Class<T> type, T first, Consumer<T> field) {
    builder.paramLabel(label).type(type).converters(Place.converters(type));
    return sets(new Place<>(first, field));
  }

  /** The same for a field that has nothing where the option is not given. */
  <T> Option maybe(String label, Class<T> type, Consumer<@Nullable T> field) {
    builder.paramLabel(label).type(type).converters(Place.converters(type));
    return sets(new Place<@Nullable T>(null, field));
  }

  /** Takes a value, and may be given several times. */
  <T> Option several(String label, Class<T> type, List<T> first, Consumer<List<T>> field) {
    builder
        .paramLabel(label)
        .type(List.class)
        .auxiliaryTypes(type)
        .converters(Place.converters(type));
    return sets(new Place<>(first, field));
  }

  /** Takes a name and a value with an equals sign between, and may be given several times. */
  Option pairs(String label, Map<String, String> first, Consumer<Map<String, String>> field) {
    builder.paramLabel(label).type(Map.class).auxiliaryTypes(String.class, String.class);
    return sets(new Place<>(first, field));
  }

  private Option sets(Place<?> place) {
    builder.initialValue(place.first()).getter(place).setter(place);
    return this;
  }

  /** May be given without a value, and has this one then. */
  Option alone(String value) {
    builder.arity("0..1").fallbackValue(value);
    return this;
  }

  /** Words that a shell can offer for its value. */
  Option offers(Iterable<String> words) {
    builder.completionCandidates(words);
    return this;
  }

  /** Has to be given. */
  Option required() {
    builder.required(true);
    return this;
  }

  /** Is for Berth itself, so help does not tell of it. */
  Option hidden() {
    builder.hidden(true);
    return this;
  }

  /** What help says of it. */
  Option says(String... lines) {
    builder.description(lines);
    return this;
  }

  @Override
  public void addTo(Syntax syntax) {
    syntax.add(spec());
  }

  OptionSpec spec() {
    return builder.build();
  }
}
