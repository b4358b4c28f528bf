package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.Pod;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How those who run on a node go on under other rules or on another machine: the policy or its
 * options are others, reserved CPUs are, CPUs are gone or new, the whole topology is.
 *
 * <p>Everybody keeps exactly what they have where the new rules allow it. Whoever cannot is
 * admitted anew, after all who stay and in the order of admission; first with what can stay of it,
 * then from the beginning. Whoever finds no room goes on without CPUs of its own. Nobody is ended.
 * Under the same rules on the same machine, everybody stays.
 *
 * {@snippet :
 * Migration migration = Migration.plan(Node.builder(machine, changed), Before.of(node, pods));
 * migration.outcomes().get("db"); // Moved: CPU 3 is offline
 * migration.node().admit(next);
 * }
 *
 * @param node the node to go on with
 * @param outcomes by uid, what becomes of each: the pods in their order, then the others
 */
public record Migration(Node node, Map<String, Outcome> outcomes) {
  /** Takes an unmodifiable copy. */
  public Migration {
    outcomes = Collections.unmodifiableMap(new LinkedHashMap<>(outcomes));
  }

  /**
   * Makes the new node and tells what becomes of everybody. The same input always has the same
   * outcome.
   *
   * @param to machine, configuration, devices and providers from now on; with nobody on it
   * @throws InvalidInputException where the configuration cannot work on the machine
   */
  public static Migration plan(NodeBuilder to, Before before) {
    return new Migrating(to.start(), before).run();
  }

  /** By uid, why a pod runs on the shared pool although it is owed CPUs of its own. */
  public Map<String, String> displaced() {
    Map<String, String> displaced = new LinkedHashMap<>();
    outcomes.forEach((uid, outcome) -> {
      if (outcome instanceof Outcome.Displaced moved) {
        displaced.put(uid, moved.why());
      }
    });
    return displaced;
  }

  /** One migration under way. */
  private static final class Migrating {
    private final Node node;
    private final Before before;
    private final Map<String, Optional<Pod>> everybody;
    private final Map<String, String> lost = new LinkedHashMap<>();
    private final Map<String, String> refused = new LinkedHashMap<>();

    Migrating(Node node, Before before) {
      this.node = node;
      this.before = before;
      this.everybody = before.everybody();
    }

    Migration run() {
      keepCpus();
      keepMemory();
      keepDevices();
      keepOthers();
      before.pods().forEach(this::admit);
      Map<String, Outcome> outcomes = new LinkedHashMap<>();
      Map<String, Holding> after = Holding.all(node);
      everybody
          .keySet()
          .forEach(
              uid -> outcomes.put(uid, outcome(uid, after.getOrDefault(uid, Holding.NOTHING))));
      return new Migration(node, outcomes);
    }

    private void lose(String uid, String why) {
      lost.merge(uid, why, (one, other) -> one + "; " + other);
    }

    private void keepCpus() {
      StayingCpus staying = new StayingCpus(node.ledgers().cpus(), before.options());
      everybody.forEach((uid, pod) ->
          staying.keep(uid, pod, before.holding(uid)).ifPresent(why -> lose(uid, why)));
    }

    private void keepMemory() {
      Map<String, Holding> wanted = new LinkedHashMap<>();
      MemoryLedger memory = node.ledgers().memory();
      everybody.forEach((uid, pod) -> {
        Holding held = before.holding(uid).memoryPart();
        if (held.isEmpty()) {
          return;
        }
        if (memory == null) {
          lose(uid, "policy None counts nobody's memory");
        } else if (pod.isPresent() && !node.owesMemory(pod.get(), held)) {
          lose(uid, "its memory is not owed as it is any more");
        } else {
          wanted.put(uid, held);
        }
      });
      if (memory != null) {
        memory.keep(wanted, before.memory()).forEach(this::lose);
      }
    }

    private void keepDevices() {
      everybody
          .keySet()
          .forEach(uid -> {
            Holding held = before.holding(uid).devicePart();
            if (!held.isEmpty()) {
              node.keepDevices(uid, held).ifPresent(why -> lose(uid, why));
            }
          });
    }

    private void keepOthers() {
      everybody
          .keySet()
          .forEach(uid ->
              node.externals()
                  .keep(uid, before.holding(uid).others())
                  .ifPresent(why -> lose(uid, why)));
    }

    /** A budget is placed as a whole, so a pod that misses a part of it begins anew. */
    private void admit(Pod pod) {
      boolean misses = node.misses(pod);
      if (!misses) {
        return;
      }
      if (!lost.containsKey(pod.uid())) {
        lose(pod.uid(), "it is owed more now than it has");
      }
      boolean parts = !pod.budget().isPresent() && !Holding.of(node, pod.uid()).isEmpty();
      if (!parts) {
        node.remove(pod.uid());
      }
      Decision decision = node.admit(pod);
      if (parts && decision instanceof Decision.Refused) {
        decision = node.admit(pod);
      }
      if (decision instanceof Decision.Refused no) {
        refused.put(pod.uid(), no.message());
      }
    }

    private Outcome outcome(String uid, Holding to) {
      Holding from = before.holding(uid);
      String why = lost.getOrDefault(uid, "");
      if (refused.containsKey(uid)) {
        return new Outcome.Displaced(from, to, why + "; no room: " + refused.get(uid));
      }
      if (from.equals(to)) {
        return new Outcome.Kept(from);
      }
      return !from.cpuPart().isEmpty() && to.cpuPart().isEmpty()
          ? new Outcome.Displaced(from, to, why)
          : new Outcome.Moved(from, to, why);
    }
  }

  @Override
  public String toString() {
    return outcomes.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .collect(Collectors.joining("\n"));
  }
}
