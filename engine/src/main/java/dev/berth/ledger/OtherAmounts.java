package dev.berth.ledger;

import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * What one container of a refused pod could ask for instead, where all else stays as it is.
 *
 * <p>A pod with a budget of its own is left out: what its containers ask for is a part of that.
 */
final class OtherAmounts {
  private static final long MIB = 1 << 20;

  /** So many amounts are tried for each kind of memory before it is looked at more closely. */
  private static final int MEMORY_STEPS = 8;

  /** The same for each kind of device; few ask for so many, and then every number is tried. */
  private static final int DEVICE_STEPS = 16;

  private final Machine machine;
  private final Snapshot then;
  private final Pod pod;
  private final Predicate<Pod> fits;

  /** Of this pod, which was refused; {@code fits} tries another on a copy of the node. */
  OtherAmounts(Machine machine, Snapshot then, Pod pod, Predicate<Pod> fits) {
    this.machine = machine;
    this.then = then;
    this.pod = pod;
    this.fits = fits;
  }

  List<Remedy> remedies() {
    List<Remedy> remedies = new ArrayList<>();
    if (pod.budget().isEmpty()) {
      addSizes(remedies);
      addLessMemory(remedies);
      addFewerDevices(remedies);
    }
    return remedies;
  }

  /** The containers share the tries, so that a pod of many costs no more than a pod of one. */
  private void addSizes(List<Remedy> remedies) {
    List<Container> own =
        pod.containers().stream().filter(one -> pod.exclusiveCpus(one) > 0).toList();
    for (Container container : own) {
      int steps = Math.max(1, machine.cpus().size() / own.size());
      size(container, steps).ifPresent(remedies::add);
    }
  }

  /** The next smaller and larger that fit. */
  private Optional<Remedy> size(Container container, int steps) {
    int asked = pod.exclusiveCpus(container);
    LongPredicate enough = count -> fits.test(resized(container, Resources.CPU, count));
    long tooMuch = Math.min(asked - 1, machine.cpus().size()) + 1L;
    OptionalLong smaller = below(tooMuch, steps, enough);
    long next = (long) asked + machine.cpusPer(Level.CORE);
    OptionalLong larger = LongStream.range(asked + 1L, next).filter(enough).findFirst();
    List<Integer> sizes =
        LongStream.concat(smaller.stream(), larger.stream()).mapToObj(Math::toIntExact).toList();
    return sizes.isEmpty()
        ? Optional.empty()
        : Optional.of(new Remedy.OtherSize(name(container), sizes, asked));
  }

  /** Where there is one container only, everybody knows whose amount is meant. */
  private Optional<String> name(Container container) {
    return pod.containers().size() == 1 ? Optional.empty() : Optional.of(container.name());
  }

  /**
   * An amount that fits while one more does not. Less does not always fit where more does: it may
   * want fewer nodes than something else needs. So it is looked for from above in steps, and
   * between the last two the more exact.
   *
   * @param tooMuch the least that is known not to fit
   * @param steps how many are tried before, at most about twice as many
   */
  private static OptionalLong below(long tooMuch, int steps, LongPredicate enough) {
    long above = tooMuch;
    long step = Math.max(1, above / steps);
    long found = above - step;
    while (found > 0 && !enough.test(found)) {
      above = found;
      found -= step;
    }
    if (found <= 0) {
      return OptionalLong.empty();
    }
    while (above - found > 1) {
      long middle = (found + above) >>> 1;
      if (enough.test(middle)) {
        found = middle;
      } else {
        above = middle;
      }
    }
    return OptionalLong.of(found);
  }

  private Pod resized(Container container, String resource, long amount) {
    List<Container> containers =
        pod.containers().stream()
            .map(one -> one.equals(container) ? asking(one, resource, amount) : one)
            .toList();
    return Pod.of(pod.uid(), containers);
  }

  private static Container asking(Container container, String resource, long amount) {
    Resources before = container.resources();
    return new Container(
        container.name(),
        container.role(),
        new Resources(
            with(before.requests(), resource, amount), with(before.limits(), resource, amount)));
  }

  private static Map<String, Quantity> with(
      Map<String, Quantity> amounts, String resource, long amount) {
    Map<String, Quantity> changed = new LinkedHashMap<>(amounts);
    changed.put(resource, Quantity.of(amount));
    return changed;
  }

  private void addLessMemory(List<Remedy> remedies) {
    if (then.memory().isEmpty()) {
      return;
    }
    MemoryAssignments memory = then.memory().get();
    Set<String> kinds = new TreeSet<>();
    memory.nodes().values().forEach(node -> kinds.addAll(node.tables().keySet()));
    for (Container container : pod.containers()) {
      for (String kind : kinds) {
        lessMemory(container, kind, memory).ifPresent(remedies::add);
      }
    }
  }

  private Optional<Remedy> lessMemory(Container container, String kind, MemoryAssignments memory) {
    long asked = container.resources().limit(kind).value();
    long unit =
        kind.equals(Resources.MEMORY)
            ? MIB
            : Quantity.parse(kind.substring(MemoryStock.HUGEPAGES.length())).value();
    long all =
        memory.nodes().values().stream()
            .filter(node -> node.tables().containsKey(kind))
            .mapToLong(node -> node.tables().get(kind).total())
            .sum();
    long tooMuch = Math.min((asked - 1) / unit, all / unit) + 1;
    OptionalLong less =
        below(tooMuch, MEMORY_STEPS, count -> fits.test(resized(container, kind, count * unit)));
    return less.isEmpty()
        ? Optional.empty()
        : Optional.of(new Remedy.LessMemory(name(container), kind, less.getAsLong() * unit, asked));
  }

  private void addFewerDevices(List<Remedy> remedies) {
    DeviceNeeds needs = new DeviceNeeds(pod, then.stocks()::containsKey);
    for (Container container : pod.containers()) {
      needs
          .of(container)
          .forEach((resource, asked) ->
              fewerDevices(container, resource, asked).ifPresent(remedies::add));
    }
  }

  private Optional<Remedy> fewerDevices(Container container, String resource, int asked) {
    DeviceStock stock = then.stocks().get(resource);
    int all = stock == null ? 0 : stock.all().size();
    OptionalLong fewer =
        below(
            Math.min(asked - 1, all) + 1L,
            DEVICE_STEPS,
            count -> fits.test(resized(container, resource, count)));
    return fewer.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Remedy.FewerDevices(
                name(container), resource, Math.toIntExact(fewer.getAsLong()), asked));
  }
}
