package dev.berth.topology;

import dev.berth.cpu.CpuSet;

/**
 * A NUMA node: memory, and the CPUs next to it, if any.
 *
 * @param id the kernel's number
 * @param cpus the usable CPUs that are nearest to it; empty for a node of memory alone
 * @param memory its memory
 */
public record NumaNode(int id, CpuSet cpus, NodeMemory memory) {}
