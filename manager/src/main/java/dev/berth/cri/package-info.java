/**
 * The Container Runtime Interface: which containers a runtime has, what they may use, and changing
 * that.
 *
 * <p>{@link dev.berth.cri.CriClient} asks, each time with a deadline, and finds a runtime again
 * that was restarted. A runtime that is away, hangs or talks nonsense is an {@code IOException} of
 * one line; a container that has gone meanwhile is no fault but an answer. {@link
 * dev.berth.cri.CriEvents} follows what happens to containers, where the runtime tells (containerd
 * 2.4 does, 1.6 does not). Events are hints and get lost, as when the runtime restarts: whoever
 * follows them lists now and then, too.
 *
 * {@snippet :
 * try (CriClient client = CriClient.of(Path.of("/run/containerd/containerd.sock"))) {
 *   for (CriContainer container : client.containers()) {
 *     client.update(container.id(), CriResources.NOTHING.withCpus(CpuSet.parse("2-3")));
 *     client.container(container.id()).flatMap(ContainerDetail::resources).ifPresent(out::println);
 *   }
 *   CriEvents events = client.follow(listener, log);
 * }
 * }
 *
 * <p>The rule of this package: it speaks the protocol and decides nothing. What a runtime does not
 * say is empty here, never zero.
 */
@NullMarked
package dev.berth.cri;

import org.jspecify.annotations.NullMarked;
