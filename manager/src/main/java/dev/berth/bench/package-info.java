/**
 * The benchmark's named workloads, and how they are timed.
 *
 * <p>Each workload is defined in words in {@code docs/benchmark.md}, and {@code bench/upstream}
 * runs the same ones through Kubernetes' own managers, under the same names.
 *
 * {@snippet :
 * for (NamedWorkload named : Workloads.all()) {
 *   System.out.println(named.name() + " " + Stopwatch.ORDINARY.time(named.prepare()).ns());
 * }
 * }
 *
 * <p>The rule of this package: what is timed does all the work that a user would have done, and a
 * workload is prepared when its turn comes, so that its first run is one.
 */
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
