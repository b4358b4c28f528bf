package dev.berth.ledger;

/**
 * The account of one kind of memory on one NUMA node, in bytes.
 *
 * @param total all there is
 * @param systemReserved kept back for the system
 * @param allocatable what can be given away at all
 * @param reserved what has been given away
 * @param free what can still be given away
 */
public record MemoryTable(
    long total, long systemReserved, long allocatable, long reserved, long free) {}
