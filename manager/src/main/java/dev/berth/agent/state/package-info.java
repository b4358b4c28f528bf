/**
 * What the agent writes down, and what it finds again when it starts.
 *
 * <p>A {@link dev.berth.agent.state.StateFolder} owns a folder: the journal {@code berth_state},
 * which is the truth, and Kubernetes' own checkpoints beside it. Every decision is written there
 * before anything is done about it; where that fails, the decision is taken back.
 *
 * {@snippet :
 * try (StateFolder state = StateFolder.open(Path.of("/var/lib/berth"))) {
 *   state.recovered().why().forEach(log::info); // state: 12 pods kept from berth_state, …
 *   state.settled(bootId, node, Map.of());
 *   if (node.admit(pod) instanceof Decision.Granted) {
 *     state.admitted(pod, spec, node); // on the disk from here on: now it may be started
 *   }
 * }
 * }
 *
 * <p>The rule of this package: what a folder says is understood, or named and kept aside; never
 * guessed.
 */
@NullMarked
package dev.berth.agent.state;

import org.jspecify.annotations.NullMarked;
