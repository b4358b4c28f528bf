/**
 * CPUs as numbers: what a CPU or a NUMA node is called, and sets of them.
 *
 * <p>This package is the innermost of the house and imports none of the others. Its rule: a number
 * is the operating system's own, never an index into something of ours, so that what a person reads
 * in {@code /proc}, in a configuration or in an answer of ours is one and the same.
 *
 * <p>Words from outside that cannot be understood end in an {@link
 * dev.berth.cpu.InvalidInputException}, whose message is one line for the person who wrote them:
 *
 * <pre>{@code
 * cpuset "0-3,x": expected a number at column 5, found "x"
 * }</pre>
 */
@NullMarked
package dev.berth.cpu;

import org.jspecify.annotations.NullMarked;
