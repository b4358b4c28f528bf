package dev.berth.topology;

import dev.berth.cpu.CpuSet;

/**
 * A kind of core on a machine that has several, such as performance and efficiency cores.
 *
 * @param name what the kernel or its driver calls it, for example {@code performance}
 * @param cpus the CPUs of that kind
 * @param capacity the kernel's {@code cpu_capacity} of one CPU, 1024 for the machine's strongest; 0
 *     where it does not say
 */
public record CoreKind(String name, CpuSet cpus, int capacity) {}
