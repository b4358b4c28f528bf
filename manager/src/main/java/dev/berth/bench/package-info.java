/**
 * The benchmark's named workloads, and how they are timed.
 *
 * <p>Each workload is defined in words in {@code docs/benchmark.md}, and {@code bench/upstream}
 * runs the same ones through Kubernetes' own managers, under the same names.
 *
 * {@snippet :
 * for (Workload<?> workload : Workloads.all()) {
 *   System.out.println(workload.name() + " " + Stopwatch.ORDINARY.time(workload).ns());
 * }
 * }
 *
 * <p>The rule of this package: what is timed does all the work that a user would have done.
 */
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
