package dev.berth.deviceplugin;

/**
 * What came of asking a plugin.
 *
 * @param <T> what was asked for
 */
public sealed interface Answer<T> {
  /** It answered. */
  record Given<T>(T value) implements Answer<T> {}

  /** It did not, or with what cannot be used: one line for a person. */
  record Refused<T>(String line) implements Answer<T> {}
}
