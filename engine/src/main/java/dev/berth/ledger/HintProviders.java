package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;
import dev.berth.hints.HintProvider;
import dev.berth.hints.LastingProvider;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

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
    return start(factories(loader), machine, configuration);
  }

  /**
   * Every factory that a class loader knows and its parents do not, in the order of their names.
   */
  public static List<HintProviderFactory> factories(ClassLoader loader) {
    return factories(ServiceLoader.load(HintProviderFactory.class, loader)).stream()
        .filter(factory -> loader.equals(factory.getClass().getClassLoader()))
        .toList();
  }

  /**
   * Starts a provider of each factory, in their order, for a node whose holdings are to last.
   *
   * @throws InvalidInputException naming the one that does not start, that is no {@link
   *     LastingProvider}, or that has another's name
   */
  public static List<HintProvider> startLasting(
      List<HintProviderFactory> factories, Machine machine, Configuration configuration) {
    Set<String> names = new HashSet<>();
    List<HintProvider> providers = start(factories, machine, configuration);
    for (HintProvider provider : providers) {
      String what = "hint provider " + provider.getClass().getName() + ": ";
      if (!(provider instanceof LastingProvider)) {
        throw new InvalidInputException(
            what
                + "expected one that can be copied and written down ("
                + LastingProvider.class.getName()
                + "), found one that cannot");
      }
      if (!names.add(provider.name())) {
        throw new InvalidInputException(
            what + "expected a name of its own, found another's, \"" + provider.name() + '"');
      }
    }
    return providers;
  }

  private static List<HintProvider> start(
      List<HintProviderFactory> factories, Machine machine, Configuration configuration) {
    return factories.stream().map(factory -> start(factory, machine, configuration)).toList();
  }

  private static List<HintProviderFactory> factories(ServiceLoader<HintProviderFactory> loader) {
    List<HintProviderFactory> factories = new ArrayList<>();
    try {
      loader.forEach(factories::add);
    } catch (ServiceConfigurationError e) {
      throw new InvalidInputException(
          "hint providers: expected all to load, found " + Fault.line(e), e);
    }
    factories.sort(Comparator.comparing(factory -> factory.getClass().getName()));
    return factories;
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
