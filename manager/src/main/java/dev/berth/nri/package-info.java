/**
 * The Node Resource Interface: how containerd and CRI-O ask a plugin where a container may run.
 *
 * <p>{@link dev.berth.nri.NriClient} keeps a connection to a runtime: it registers, serves the
 * plugin's side, calls the runtime's, and comes back by itself when the runtime restarts or drops
 * it. A runtime drops a plugin that does not answer within its time-out, and goes on without it; so
 * an answer is never held up here, and one that was dropped is back at once.
 *
 * {@snippet :
 * try (NriClient client = NriClient.start(socket, "10", "berth", policy, log)) {
 *   List<ContainerUpdate> failed = client.update(updates);
 * }
 * }
 *
 * <p>The rule of this package: it speaks the protocol and decides nothing.
 */
@NullMarked
package dev.berth.nri;

import org.jspecify.annotations.NullMarked;
