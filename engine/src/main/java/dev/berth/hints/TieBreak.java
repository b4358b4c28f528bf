package dev.berth.hints;

/** Which of two sets with the same number of nodes is better. */
public enum TieBreak {
  /**
   * The lowest one, read as a number whose bit i is node i: the highest node that differs decides.
   */
  LOWEST,

  /**
   * The one with the smaller average distance over all ordered pairs of its nodes, a node with
   * itself included ({@code prefer-closest-numa-nodes}); where equal, the lowest.
   */
  CLOSEST
}
