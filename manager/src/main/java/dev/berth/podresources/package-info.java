/**
 * Podresources, {@code v1}: what monitoring, and device plugins themselves, ask a node. Which pod
 * has which CPUs, memory and devices, and what could be given away at all.
 *
 * {@snippet :
 * Supplier<ResourcesSnapshot> now = () -> ResourcesSnapshot.of(node, pods);
 * try (PodResourcesServer server = PodResourcesServer.start(socket, now, listener)) {
 *   // clients: List, GetAllocatableResources, Get; each asks for a snapshot of its own
 * }
 * }
 *
 * <p>The rule of this package: it tells and never decides. An answer is one snapshot, so it never
 * shows a CPU with two owners; order is the order of names, where the kubelet leaves it to chance.
 */
@NullMarked
package dev.berth.podresources;

import org.jspecify.annotations.NullMarked;
