package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import dev.berth.workload.Quantity;

/** What is kept back for the system and never given to one container alone. */
public sealed interface Reservation {
  /** Nothing is kept back; the static policy does not start with this. */
  record Nothing() implements Reservation {}

  /** The machine's lowest CPU, where interrupts and the kernel's own work mostly are. */
  record LowestCpu() implements Reservation {}

  /**
   * So many CPUs, taken from the lowest cores.
   *
   * @param cpus how many, a part of one counting as one
   */
  record Amount(Quantity cpus) implements Reservation {}

  /**
   * Just these CPUs.
   *
   * @param cpus the CPUs
   */
  record These(CpuSet cpus) implements Reservation {}
}
