/**
 * What a CPU of one's own is worth, measured on the machine at hand: a probe that tells how late it
 * wakes, neighbours that keep every CPU busy, and what comes of several slices of both.
 *
 * <p>{@link dev.berth.demo.Probe} and {@link dev.berth.demo.Neighbour} are programs: whoever drives
 * them starts them as processes, in whatever place they are to be measured, and they end when their
 * standard input does, so that none of them outlives its driver. A probe prints a {@link
 * dev.berth.demo.Reading}; an {@link dev.berth.demo.Outcome} adds up those of each {@link
 * dev.berth.demo.Phase}.
 *
 * {@snippet :
 * Outcome outcome = new Outcome();
 * for (Phase phase : Phase.slices(2)) {   // idle, shared, exclusive, exclusive, shared
 *   outcome.add(phase, Reading.parse(printedByTheProbe));
 * }
 * outcome.of(Phase.SHARED).latencies().percentile(0.999);   // nanoseconds
 * outcome.ratio(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999);  // 40.0: so many times as late
 * }
 *
 * <p>The rule of this package: nothing is left out. A request that the probe slept through counts
 * with its whole delay, and beside every figure stands what the host stole and others used. Figures
 * of the calm moments, without the host's, stand beside those of all and not in their place, and
 * {@link dev.berth.demo.CalmWindows} never looks at how late a request was.
 */
@NullMarked
package dev.berth.demo;

import org.jspecify.annotations.NullMarked;
