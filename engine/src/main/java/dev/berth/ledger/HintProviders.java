package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;
import dev.berth.hints.HintProvider;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Finds the providers that are installed beside Berth.
 *
 * {@snippet :
 * Node node = Node.start(machine, configuration, HintProviders.load(machine, configuration));
 * }
 */
public final class HintProviders {
  private HintProviders() {}

  /**
   * Starts every provider that {@link ServiceLoader} finds, in the order of the factories' class
   * names, so that nothing depends on the order of a class path.
   *
   * @throws InvalidInputException naming the one that cannot be loaded or does not start
   */
  public static List<HintProvider> load(Machine machine, Configuration configuration) {
    return start(ServiceLoader.load(HintProviderFactory.class), machine, configuration);
  }

  /** The same among what a class loader knows. */
  public static List<HintProvider> load(
      ClassLoader loader, Machine machine, Configuration configuration) {
    return start(ServiceLoader.load(HintProviderFactory.class, loader), machine, configuration);
  }

  private static List<HintProvider> start(
      ServiceLoader<HintProviderFactory> loader, Machine machine, Configuration configuration) {
    List<HintProviderFactory> factories = new ArrayList<>();
    try {
      loader.forEach(factories::add);
    } catch (ServiceConfigurationError e) {
      throw new InvalidInputException(
          "hint providers: expected all to load, found " + Fault.line(e), e);
    }
    factories.sort(Comparator.comparing(factory -> factory.getClass().getName()));
    return factories.stream().map(factory -> start(factory, machine, configuration)).toList();
  }

  private static HintProvider start(
      HintProviderFactory factory, Machine machine, Configuration configuration) {
    try {
      return factory.start(machine, configuration);
    } catch (RuntimeException | LinkageError e) {
      throw new InvalidInputException(
          "hint provider "
              + factory.getClass().getName()
              + ": expected it to start, found "
              + Fault.line(e),
          e);
    }
  }
}
