package dev.berth.cli;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;

/**
 * Where a value goes: a field of a command, by a lambda that sets it. Picocli wants to have read
 * it, too, to add to a list what comes next.
 */
final class Place<T extends @Nullable Object> implements IGetter, ISetter {
  private final T first;
  private final Consumer<T> field;
  private T now;

  /**
   * One whose value is known.
   *
   * @param first what the field has, and is to have where nothing is said
   */
  Place(T first, Consumer<T> field) {
    this.first = first;
    this.field = field;
    this.now = first;
  }

  /**
   * Ours where picocli has none: what it would make by reflection is switched off by {@code
   * scripts/launch.sh}.
   */
  static ITypeConverter<?>[] converters(Class<?> type) {
    ITypeConverter<Path> path = Path::of;
    return type == Path.class ? new ITypeConverter<?>[] {path} : new ITypeConverter<?>[0];
  }

  T first() {
    return first;
  }

  // The signature is picocli's, which converts a value to the type that it was told beside this
  // place.
  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <V> V get() {
    return (V) now;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> V set(V value) {
    V before = (V) now;
    now = (T) value;
    field.accept(now);
    return before;
  }
}
