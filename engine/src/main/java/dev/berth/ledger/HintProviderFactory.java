package dev.berth.ledger;

import dev.berth.hints.HintProvider;
import dev.berth.topology.Machine;

/**
 * Starts a {@link HintProvider} on a machine. What is found by {@link java.util.ServiceLoader} is
 * this, because a provider needs to know its machine.
 *
 * <p>An implementation is named in {@code META-INF/services/dev.berth.ledger.HintProviderFactory},
 * or in a module's {@code provides … with …}; it is used where the one who starts a node asks for
 * {@link HintProviders#load}.
 */
@FunctionalInterface
public interface HintProviderFactory {
  /**
   * Starts a provider with everything free.
   *
   * @param machine the machine whose nodes it speaks of
   * @param configuration how the node is to decide
   */
  HintProvider start(Machine machine, Configuration configuration);
}
