/**
 * Linux as a neighbour: what its {@code /sys} and {@code /proc} tell of a machine and of processes.
 *
 * <p>{@link dev.berth.linux.Sysfs} reads the tree below any folder, so that a machine can be looked
 * at on another one, and makes a {@link dev.berth.topology.Machine} of it. Kernels of twenty years
 * and several architectures differ in what they show: lists or hexadecimal masks, caches with and
 * without an id, packages numbered -1. Each such case is decided in one class here, and what a
 * person should know of the decision stands in the machine's notes.
 *
 * {@snippet :
 * Machine captured = Sysfs.discover(Path.of("captures/node-7"));
 * Machine here = Sysfs.here();
 * here.notes();                 // what this process' own cpuset leaves out, if anything
 * }
 *
 * <p>Processes are here too: {@link dev.berth.linux.ProcessId} is one process and no later one of
 * the same number, {@link dev.berth.linux.Affinity} keeps it and what it started on CPUs where
 * there are no groups to do so, and {@link dev.berth.linux.Posix} has the few system calls that the
 * JDK lacks.
 *
 * {@snippet :
 * ProcessId sleeper = ProcessId.of(4711).orElseThrow();
 * Affinity.apply(sleeper, CpuSet.of(2, 3));
 * sleeper.signal(Posix.SIGTERM);  // false where it has ended, whoever has its number now
 * }
 *
 * <p>{@link dev.berth.linux.ResumeLatency} is the one thing of a machine that is written here: how
 * long a CPU with nothing to do may take to wake.
 *
 * <p>The rule of this package: a file that is there but garbled, or that a kernel of its kind
 * always has and this tree has not, is an {@link dev.berth.cpu.InvalidInputException} with its
 * path. Nothing is guessed.
 */
@NullMarked
package dev.berth.linux;

import org.jspecify.annotations.NullMarked;
