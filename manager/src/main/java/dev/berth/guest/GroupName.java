package dev.berth.guest;

import dev.berth.workload.QosClass;
import java.util.Optional;

/**
 * What the name of a pod's group tells: Kubernetes puts the class into it, as a path ({@code
 * /kubepods/burstable/pod…}) or as systemd's slice ({@code kubepods-burstable-pod….slice}).
 *
 * <p>Looked at by hand: this is on the way of every container, where a regular expression takes ten
 * times as long.
 */
final class GroupName {
  private static final String BEFORE = "/-";
  private static final String BEHIND = "/.-";

  private GroupName() {}

  /** Whether it is one of Kubernetes' own. */
  static boolean isKubernetes(String name) {
    return has("kubepods", name, 0);
  }

  /**
   * The class, where it is one of Kubernetes': guaranteed pods have none in their groups' names.
   */
  static Optional<QosClass> qos(String name) {
    if (!isKubernetes(name)) {
      return Optional.empty();
    }
    if (has("besteffort", name, 1)) {
      return Optional.of(QosClass.BEST_EFFORT);
    }
    return Optional.of(has("burstable", name, 1) ? QosClass.BURSTABLE : QosClass.GUARANTEED);
  }

  /** Whether a word stands in a name by itself, from this place on. */
  private static boolean has(String word, String name, int from) {
    for (int at = name.indexOf(word, from); at >= 0; at = name.indexOf(word, at + 1)) {
      int end = at + word.length();
      boolean begins = at == 0 || BEFORE.indexOf(name.charAt(at - 1)) >= 0;
      boolean ends = end == name.length() || BEHIND.indexOf(name.charAt(end)) >= 0;
      if (begins && ends) {
        return true;
      }
    }
    return false;
  }
}
