package dev.berth.cpu;

/**
 * An immutable set of NUMA nodes, by the kernel's numbers, which may have gaps and go past 64.
 *
 * <p>Safe for use by any number of threads.
 */
public final class NodeSet extends IdSet<NodeSet> {
  /** The set without a node. */
  public static final NodeSet EMPTY = new NodeSet(new long[0]);

  private NodeSet(long[] words) {
    super(words);
  }

  /** The set of the given nodes, in any order. */
  public static NodeSet of(int... nodes) {
    return nodes.length == 0 ? EMPTY : new NodeSet(wordsOf("NUMA node", nodes));
  }

  /**
   * The nodes from {@code first} to {@code last}, both included; empty where they are in the wrong
   * order.
   */
  public static NodeSet range(int first, int last) {
    return EMPTY.make(wordsOfRange("NUMA node", first, last));
  }

  /**
   * Reads Linux list syntax, for example {@code 0-3,8}.
   *
   * @throws InvalidInputException naming the column where something else was expected
   */
  public static NodeSet parse(String list) {
    return EMPTY.make(ListSyntax.parse("node list", list));
  }

  @Override
  NodeSet make(long[] trimmedWords) {
    return trimmedWords.length == 0 ? EMPTY : new NodeSet(trimmedWords);
  }

  @Override
  NodeSet self() {
    return this;
  }
}
