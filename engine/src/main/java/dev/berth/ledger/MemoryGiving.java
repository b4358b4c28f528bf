package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Gives pods the blocks that they have already, from empty books. */
final class MemoryGiving {
  /**
   * A pod whose block cannot be.
   *
   * @param pod whose it is
   * @param fault what is wrong, as the end of a sentence
   */
  record Misfit(String pod, String fault) {}

  final MemoryBooks books;

  /** The sets of nodes that blocks are on. */
  final Set<NodeSet> used = new HashSet<>();

  MemoryGiving(MemoryStock stock) {
    books = new MemoryBooks(stock);
  }

  /**
   * Gives in this order, but blocks of one node first, for the others can make way.
   *
   * @return the first that cannot be
   */
  Optional<Misfit> give(Collection<String> pods, MemoryAssignments from) {
    for (boolean single : List.of(true, false)) {
      for (String pod : pods) {
        for (MemoryBlock block : from.counted(pod)) {
          if (single == (block.nodes().size() == 1)) {
            used.add(block.nodes());
            Optional<String> fault = give(block);
            if (fault.isPresent()) {
              return fault.map(words -> new Misfit(pod, words));
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> give(MemoryBlock block) {
    NodeSet all = books.stock().nodes.all();
    if (block.nodes().isEmpty() || !block.nodes().isSubsetOf(all)) {
      return Optional.of(
          "expected a block on nodes among "
              + all
              + ", found one on "
              + (block.nodes().isEmpty() ? "none" : block.nodes()));
    }
    Optional<NodeSet> other = books.otherGroup(block.nodes());
    if (other.isPresent()) {
      return Optional.of(
          "expected blocks of several nodes on the same nodes or on none of them, found one on "
              + block.nodes()
              + " and one on "
              + other.get());
    }
    long missing = books.give(block);
    return missing == 0
        ? Optional.empty()
        : Optional.of(
            "node"
                + (block.nodes().size() == 1 ? " " : "s ")
                + block.nodes()
                + ": expected at most "
                + (block.size() - missing)
                + " bytes of "
                + block.type()
                + " to be left for it, found "
                + block.size());
  }

  /** Sets aside what pods have beyond their budgets, if there is room. */
  Optional<Misfit> promise(Collection<String> pods, MemoryAssignments from) {
    for (String pod : pods) {
      for (MemoryBlock block : MemoryLedger.beyond(from, pod)) {
        if (block.size() > books.free(block.type(), block.nodes())) {
          return Optional.of(
              new Misfit(pod, "not enough " + block.type() + " is left beyond its budget"));
        }
        books.promise(block);
      }
    }
    return Optional.empty();
  }
}
