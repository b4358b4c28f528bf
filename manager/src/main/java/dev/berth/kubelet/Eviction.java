package dev.berth.kubelet;

import dev.berth.workload.Quantity;
import java.util.Optional;

/** How much memory a kubelet's hard eviction keeps free: it counts as reserved. */
final class Eviction {
  private static final String SIGNAL = "memory.available";

  /** A kubelet's own where no threshold is set at all. */
  private static final Quantity BY_DEFAULT = Quantity.parse("100Mi");

  private Eviction() {}

  /**
   * The memory; empty where it is a part of the machine's.
   *
   * @param merged whether thresholds that are not named have their defaults
   */
  static Optional<Quantity> memory(Optional<YamlField> thresholds, Optional<YamlField> merged) {
    if (thresholds.isEmpty()) {
      return Optional.of(BY_DEFAULT);
    }
    Optional<YamlField> threshold = thresholds.get().field(SIGNAL);
    if (threshold.isEmpty()) {
      boolean defaults = merged.map(YamlField::truth).orElse(false);
      return Optional.of(defaults ? BY_DEFAULT : Quantity.ZERO);
    }
    return switch (threshold.get().text()) {
      // Either turns the threshold off.
      case "0%", "100%" -> Optional.of(Quantity.ZERO);
      case String part when part.endsWith("%") -> Optional.empty();
      default -> Optional.of(Quantities.read(threshold.get()));
    };
  }
}
