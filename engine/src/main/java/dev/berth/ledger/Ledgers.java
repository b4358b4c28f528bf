package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The providers of a node that are its own.
 *
 * @param cpus none under policy none
 * @param memory none under memory policy None
 * @param devices always there
 */
record Ledgers(@Nullable CpuLedger cpus, @Nullable MemoryLedger memory, DeviceLedger devices) {
  /** What is written down now; put together only if asked for. */
  Supplier<Snapshot> frozen(Externals externals) {
    Supplier<Assignments> cpusThen =
        cpus == null ? () -> Assignments.of(CpuPolicy.NONE, CpuSet.EMPTY, Map.of()) : cpus.frozen();
    Optional<Supplier<MemoryAssignments>> memoryThen =
        Optional.ofNullable(memory).map(MemoryLedger::frozen);
    Map<String, DeviceStock> stocksThen = devices.stocks();
    DeviceAssignments devicesThen = devices.assignments();
    List<GuardedProvider> othersThen = externals.copies();
    return () ->
        new Snapshot(
            cpusThen.get(), memoryThen.map(Supplier::get), stocksThen, devicesThen, othersThen);
  }
}
