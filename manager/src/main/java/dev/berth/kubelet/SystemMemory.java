package dev.berth.kubelet;

import dev.berth.workload.Quantity;
import java.util.Optional;

/**
 * Memory that is kept from containers, by who is to have it.
 *
 * @param system {@code systemReserved}
 * @param kube {@code kubeReserved}
 * @param eviction what hard eviction keeps free; empty where that is a part of a machine's memory
 *     that we do not know here
 */
record SystemMemory(
    Optional<Quantity> system, Optional<Quantity> kube, Optional<Quantity> eviction) {
  boolean isNamed() {
    return system.isPresent() || kube.isPresent();
  }

  Quantity sum() {
    return or(system).plus(or(kube)).plus(or(eviction));
  }

  /** {@code 1124Mi (systemReserved 512Mi, kubeReserved 512Mi, evictionHard 100Mi)}. */
  @Override
  public String toString() {
    return Quantities.binary(sum())
        + " (systemReserved "
        + Quantities.binary(or(system))
        + ", kubeReserved "
        + Quantities.binary(or(kube))
        + ", evictionHard "
        + Quantities.binary(or(eviction))
        + ")";
  }

  private static Quantity or(Optional<Quantity> amount) {
    return amount.orElse(Quantity.ZERO);
  }
}
