package dev.berth.hints;

import dev.berth.cpu.InvalidInputException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Which members of a family are preferred: those of one size and, on request, those that span one
 * number of sockets ({@code align-by-socket}).
 *
 * @param size how many nodes a preferred set has
 * @param sockets the second rule, if any; meeting one of the two is enough
 */
public record Preference(int size, Optional<Sockets> sockets) {
  /** Sets of so many nodes. */
  public static Preference ofSize(int size) {
    return new Preference(size, Optional.empty());
  }

  /** Sets of this size, and those that span exactly {@code count} sockets. */
  public Preference orSockets(int[][] socketsOfNodes, int count) {
    return new Preference(size, Optional.of(new Sockets(socketsOfNodes, count)));
  }

  boolean prefers(long[] set) {
    return Masks.count(set) == size
        || (sockets.isPresent() && sockets.get().span(set) == sockets.get().count);
  }

  /** Whether all members of that many nodes are preferred. */
  boolean prefersSize(int nodes) {
    return nodes == size;
  }

  /** The rule about sockets. */
  public static final class Sockets {
    private final int count;
    private final int[][] ofNodes;
    private final int highest;

    private Sockets(int[][] ofNodes, int count) {
      this.count = count;
      this.ofNodes = new int[ofNodes.length][];
      for (int i = 0; i < ofNodes.length; i++) {
        this.ofNodes[i] = ofNodes[i].clone();
        for (int socket : ofNodes[i]) {
          if (socket < 0) {
            throw new InvalidInputException(
                "sockets of node number " + i + ": expected 0 or more, found " + socket);
          }
        }
      }
      highest = Arrays.stream(ofNodes).flatMapToInt(Arrays::stream).max().orElse(-1);
    }

    /** How many sockets a preferred set spans. */
    public int count() {
      return count;
    }

    /** The sockets that the node at a position touches, in a new array. */
    int[] of(int position) {
      return ofNodes[position].clone();
    }

    /** The sockets on which the universe has nodes, lowest first. */
    int[] among(long[] universe) {
      return Arrays.stream(Masks.positions(universe))
          .flatMap(position -> Arrays.stream(ofNodes[position]))
          .distinct()
          .sorted()
          .toArray();
    }

    int span(long[] set) {
      boolean[] seen = new boolean[highest + 1];
      int span = 0;
      for (int position : Masks.positions(set)) {
        for (int socket : ofNodes[position]) {
          span += seen[socket] ? 0 : 1;
          seen[socket] = true;
        }
      }
      return span;
    }

    /** The sets of this cover that span exactly these sockets. */
    Cover restrict(Cover cover, int[] sockets) {
      long[] universe = cover.universe();
      long[] region = new long[universe.length];
      long[][] touching = new long[sockets.length][universe.length];
      for (int position : Masks.positions(universe)) {
        if (Arrays.stream(ofNodes[position]).allMatch(s -> Arrays.binarySearch(sockets, s) >= 0)) {
          Masks.add(region, position);
          for (int socket : ofNodes[position]) {
            Masks.add(touching[Arrays.binarySearch(sockets, socket)], position);
          }
        }
      }
      return cover.within(region, Demand.touchingEach(ofNodes.length, touching));
    }
  }
}
