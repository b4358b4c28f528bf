package dev.berth.cli;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A word of a command line that needs no option before it: how many there can be, what help says of
 * it, and the field that it sets.
 */
final class Parameter implements Part {
  private final PositionalParamSpec.Builder builder = PositionalParamSpec.builder();

  private Parameter(String label, Class<?> type, Place<?> place) {
    builder.paramLabel(label).type(type).converters(Place.converters(type));
    builder.initialValue(place.first()).getter(place).setter(place);
  }

  /**
   * There has to be one.
   *
   * @param label the word for it
   * @param first the field's value
   */
  static <T> Parameter one(String label, Class<T> type, T first, Consumer<T> field) {
    Parameter one = new Parameter(label, type, new Place<>(first, field));
    one.builder.required(true);
    return one;
  }

  /** There may be one; the field has nothing where there is none. */
  static <T> Parameter maybe(String label, Class<T> type, Consumer<@Nullable T> field) {
    Parameter maybe = new Parameter(label, type, new Place<@Nullable T>(null, field));
    maybe.builder.arity("0..1");
    return maybe;
  }

  /** There may be any number of them. */
  static Parameter any(String label, List<String> first, Consumer<List<String>> field) {
    Parameter any = new Parameter(label, List.class, new Place<>(first, field));
    any.builder.auxiliaryTypes(String.class).arity("0..*");
    return any;
  }

  /** There has to be one at least. */
  static Parameter some(String label, List<String> first, Consumer<List<String>> field) {
    Parameter some = new Parameter(label, List.class, new Place<>(first, field));
    some.builder.auxiliaryTypes(String.class).arity("1..*").required(true);
    return some;
  }

  /** What help says of it. */
  Parameter says(String line) {
    builder.description(line);
    return this;
  }

  @Override
  public void addTo(Syntax syntax) {
    syntax.add(builder.build());
  }
}
