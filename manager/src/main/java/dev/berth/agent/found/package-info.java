/**
 * Containers as the kernel shows them, and what they hold when no record says so.
 *
 * <p>The state folder may be lost, old or damaged while containers run on. The kernel is not: a
 * cgroup names its pod and container, its cpuset says where its processes run. {@link
 * dev.berth.agent.found.KernelHoldings} brings both together when an agent starts, and {@link
 * dev.berth.agent.found.UnknownContainers} judges containers that no record names, at the start and
 * in every reconcile pass.
 *
 * {@snippet :
 * KernelHoldings after = KernelHoldings.of(written, pods, found, cpus);
 * after.holdings();  // what every pod and unknown holder keeps; no CPU stands twice in it
 * after.unknown();   // containers that no record names: holders, or on the shared pool
 * after.notes();     // a line for each record that the kernel contradicts
 * }
 *
 * <p>The rule of this package: a running container keeps its CPUs before one that does not run, and
 * no CPU has two holders. Pure; reads nothing.
 */
@NullMarked
package dev.berth.agent.found;

import org.jspecify.annotations.NullMarked;
