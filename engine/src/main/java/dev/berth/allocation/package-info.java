/**
 * Choosing CPUs: which ones a request gets, out of those that are free.
 *
 * <p>A {@link dev.berth.allocation.Chooser} is a pure function from free CPUs and a number to CPUs.
 * Packing is a row of small rules, each taking what it can and leaving the rest to the next: whole
 * sockets and NUMA nodes, last-level caches, cores, single CPUs. Options change the row. Every rule
 * works on one set of free CPUs that shrinks as they are taken, so that none can give away a CPU
 * twice or one that was not offered.
 *
 * {@snippet :
 * Choosers choosers = new Choosers(Machines.named("epyc-7702p"), StaticOptions.NONE);
 * CpuSet cpus = choosers.make().choose(CpuSet.parse("1-63,65-127"), 4, Trace.OFF); // 1-2,65-66
 * }
 *
 * <p>The rule of this package: the same answers as Kubernetes, CPU for CPU, wherever Kubernetes'
 * own rules hold; ties break on the lowest id. A decision tells its {@link
 * dev.berth.allocation.Step steps} to a {@link dev.berth.allocation.Trace}, which costs nothing
 * where nobody asks.
 */
@NullMarked
package dev.berth.allocation;

import org.jspecify.annotations.NullMarked;
