package dev.berth.ledger;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a pod has after it was admitted again: a container that is no longer named keeps its own
 * until the pod leaves, for nothing is lost because somebody forgot to name it.
 */
final class Readmitted {
  private Readmitted() {}

  /**
   * Both together.
   *
   * @param granted not changed by anybody any more
   */
  static <V> Map<String, V> of(Map<String, ? extends V> held, Map<String, ? extends V> granted) {
    if (held.isEmpty()) {
      return Collections.unmodifiableMap(granted);
    }
    Map<String, V> all = new LinkedHashMap<>(held);
    all.putAll(granted);
    return Collections.unmodifiableMap(all);
  }
}
