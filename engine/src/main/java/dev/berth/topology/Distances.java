package dev.berth.topology;

import dev.berth.cpu.InvalidInputException;
import java.util.Arrays;

/**
 * How far NUMA nodes are from each other, in the firmware's units: 10 to oneself, more to others.
 *
 * <p>Rows and columns are in the order of the node ids that the table was made for.
 */
public final class Distances {
  /** What a node is from itself, by the ACPI specification. */
  public static final int LOCAL = 10;

  /** What firmware that says nothing means for two different nodes. */
  public static final int REMOTE = 20;

  private final int[] ids;
  private final int[][] rows;

  private Distances(int[] ids, int[][] rows) {
    this.ids = ids;
    this.rows = rows;
  }

  /** The table for a machine that does not tell: 10 to itself, 20 to any other. */
  public static Distances unknown(int[] ids) {
    int[][] rows = new int[ids.length][ids.length];
    for (int i = 0; i < ids.length; i++) {
      Arrays.fill(rows[i], REMOTE);
      rows[i][i] = LOCAL;
    }
    return new Distances(ids.clone(), rows);
  }

  /**
   * A table given as one row a node, each with one entry a node, in the order of {@code ids}.
   *
   * @throws InvalidInputException where a row or an entry is missing or too many, or not above 0
   */
  public static Distances of(int[] ids, int[][] rows) {
    if (rows.length != ids.length) {
      throw new InvalidInputException(
          "distances: expected " + ids.length + " rows, found " + rows.length);
    }
    int[][] copy = new int[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      copy[i] = rows[i].clone();
      if (copy[i].length != ids.length) {
        throw new InvalidInputException(
            "distances of node "
                + ids[i]
                + ": expected "
                + ids.length
                + " numbers, found "
                + copy[i].length);
      }
      for (int distance : copy[i]) {
        if (distance <= 0) {
          throw new InvalidInputException(
              "distances of node " + ids[i] + ": expected numbers above 0, found " + distance);
        }
      }
    }
    return new Distances(ids.clone(), copy);
  }

  /** How far {@code to} is from {@code from}, both node ids of this machine. */
  public int between(int from, int to) {
    return rows[position(from)][position(to)];
  }

  /**
   * The distances from {@code from} to every node, in the order of the node ids, in a new array.
   */
  public int[] row(int from) {
    return rows[position(from)].clone();
  }

  private int position(int node) {
    if (node >= 0 && node < ids.length && ids[node] == node) {
      // Without gaps before it, as nearly everywhere.
      return node;
    }
    int position = Arrays.binarySearch(ids, node);
    if (position < 0) {
      throw new InvalidInputException(
          "NUMA node " + node + ": expected one of " + Arrays.toString(ids));
    }
    return position;
  }
}
