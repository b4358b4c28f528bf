package dev.berth.ledger;

import org.jspecify.annotations.Nullable;

/**
 * The providers of a node that are its own.
 *
 * @param cpus none under policy none
 * @param memory none under memory policy None
 * @param devices always there
 */
record Ledgers(@Nullable CpuLedger cpus, @Nullable MemoryLedger memory, DeviceLedger devices) {}
