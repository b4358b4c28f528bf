package dev.berth.relief;

import dev.berth.ledger.Decision;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.ledger.NodeBuilder;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The definition of a plan, taken literally: all sets, all orders, a fresh node for each. */
final class BruteForce {
  private final Node node;
  private final List<Pod> movable;
  private final Pod refused;

  BruteForce(Node node, List<Pod> movable, Pod refused) {
    this.node = node;
    this.movable =
        movable.stream()
            .filter(pod -> !Holding.of(node, pod.uid()).isEmpty())
            .sorted(Comparator.comparing(Pod::uid))
            .toList();
    this.refused = refused;
  }

  /** Who moves in the best plan, by uid. */
  Optional<List<String>> best() {
    List<List<Pod>> sets = new ArrayList<>();
    for (int mask = 0; mask < 1 << movable.size(); mask++) {
      List<Pod> set = new ArrayList<>();
      for (int i = 0; i < movable.size(); i++) {
        if ((mask & 1 << i) != 0) {
          set.add(movable.get(i));
        }
      }
      sets.add(set);
    }
    sets.sort(Comparator.comparingInt(this::cpus).thenComparing(BruteForce::uids));
    for (int size = 0; size <= movable.size(); size++) {
      int wanted = size;
      List<List<Pod>> ofSize = sets.stream().filter(set -> set.size() == wanted).toList();
      Optional<List<Pod>> best =
          ofSize.stream()
              .filter(set -> orders(set).stream().anyMatch(order -> works(first(order))))
              .findFirst()
              .or(() -> ofSize.stream().filter(this::worksInSomeOrder).findFirst());
      if (best.isPresent()) {
        return best.map(set -> set.stream().map(Pod::uid).toList());
      }
    }
    return Optional.empty();
  }

  private List<Pod> first(List<Pod> order) {
    List<Pod> all = new ArrayList<>(List.of(refused));
    all.addAll(order);
    return all;
  }

  private boolean worksInSomeOrder(List<Pod> set) {
    return orders(first(set)).stream().anyMatch(this::works);
  }

  private static String uids(List<Pod> set) {
    return String.join(" ", set.stream().map(Pod::uid).toList());
  }

  private int cpus(List<Pod> set) {
    return set.stream().mapToInt(pod -> Holding.of(node, pod.uid()).allCpus().size()).sum();
  }

  private static List<List<Pod>> orders(List<Pod> set) {
    if (set.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Pod>> all = new ArrayList<>();
    for (Pod first : set) {
      List<Pod> rest = new ArrayList<>(set);
      rest.remove(first);
      for (List<Pod> order : orders(rest)) {
        List<Pod> whole = new ArrayList<>(List.of(first));
        whole.addAll(order);
        all.add(whole);
      }
    }
    return all;
  }

  /** The same node, started from what is written down. */
  static Node fresh(Node node) {
    NodeBuilder builder =
        Node.builder(node.machine(), node.configuration())
            .assignments(node.assignments())
            .deviceAssignments(node.deviceAssignments())
            .devices(node.devices());
    node.memoryAssignments().ifPresent(builder::memoryAssignments);
    return builder.start();
  }

  /** All of them are taken off, as far as they are there, and let in again in this order. */
  private boolean works(List<Pod> order) {
    Node trial = fresh(node);
    order.forEach(pod -> trial.remove(pod.uid()));
    return order.stream().allMatch(pod -> trial.admit(pod) instanceof Decision.Granted);
  }
}
