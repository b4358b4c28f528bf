/**
 * Sets of CPUs and of NUMA nodes: the words that everything else in Berth is written in.
 *
 * <p>A set is immutable, indexed by the kernel's own numbers, and reads and writes Linux list
 * syntax. It is held as 64-bit words, so that a union, a difference or a count over a machine of
 * 512 CPUs is eight instructions. {@link dev.berth.cpu.CpuSet} and {@link dev.berth.cpu.NodeSet}
 * are different types on purpose: a CPU is never a node.
 *
 * {@snippet :
 * CpuSet shared = CpuSet.parse("0-127");
 * CpuSet reserved = CpuSet.of(0, 64);
 * CpuSet assignable = shared.difference(reserved); // 1-63,65-127
 * }
 *
 * <p>The rule of this package: it imports nothing of Berth's.
 */
@NullMarked
package dev.berth.cpu;

import org.jspecify.annotations.NullMarked;
