package dev.berth.hints;

import dev.berth.cpu.NodeSet;
import dev.berth.topology.Distances;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Large machines as they are in the middle of a day: regular, partly used, and asked for CPUs,
 * memory, hugepages and devices.
 */
final class Workday {
  private static final int CPUS = 16;
  private static final int GIGABYTES = 64;
  private static final int PAGES = 512;

  private final Random random;
  private final Nodes nodes;

  Workday(Random random, int count, int perSocket) {
    this.random = random;
    int[] ids = IntStream.range(0, count).toArray();
    int[][] rows = new int[count][count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        rows[i][j] = i == j ? 10 : i / perSocket == j / perSocket ? 12 : 32;
      }
    }
    nodes = Nodes.of(NodeSet.of(ids), Distances.of(ids, rows));
  }

  Nodes nodes() {
    return nodes;
  }

  /** The offers for one pod. */
  List<Offer> offers() {
    List<Offer> offers = new ArrayList<>();
    int size = 1 + random.nextInt(random.nextInt(4) == 0 ? 8 : 1);
    offers.add(cpus(1 + random.nextInt(CPUS * size)));
    Offer memory = memory(1 + random.nextInt(GIGABYTES * size), random.nextInt(PAGES * size));
    offers.add(memory);
    offers.add(memory);
    if (random.nextBoolean()) {
      offers.add(devices(1 + random.nextInt(4)));
    }
    return offers;
  }

  private long[] free(int most) {
    int used = random.nextInt(4);
    return IntStream.range(0, nodes.size())
        .mapToLong(i -> random.nextInt(4) < used ? random.nextInt(most + 1) : most)
        .toArray();
  }

  private Offer cpus(int request) {
    Cover free = Cover.of(nodes, nodes.all(), Demand.atLeast(request, free(CPUS)));
    return Offer.family(free, Preference.ofSize((request + CPUS - 1) / CPUS));
  }

  /** Nodes that are in use alone or in a pair can only be used that way again. */
  private Offer memory(int gigabytes, int pages) {
    long[] freeBytes = free(GIGABYTES);
    long[] freePages = free(PAGES);
    List<NodeSet> more = new ArrayList<>();
    List<Integer> unused = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      int use = random.nextInt(6);
      if (use == 0 && freeBytes[i] >= gigabytes && freePages[i] >= pages) {
        more.add(NodeSet.of(i));
      } else if (use == 1 && i + 1 < nodes.size()) {
        if (freeBytes[i] + freeBytes[i + 1] >= gigabytes
            && freePages[i] + freePages[i + 1] >= pages) {
          more.add(NodeSet.of(i, i + 1));
        }
        i++;
      } else if (use > 1) {
        unused.add(i);
      }
    }
    NodeSet universe = NodeSet.of(unused.stream().mapToInt(Integer::intValue).toArray());
    Cover cover =
        Cover.of(
            nodes,
            universe,
            Demand.atLeast(gigabytes, freeBytes),
            Demand.atLeast(pages, freePages));
    int least =
        Math.max((gigabytes + GIGABYTES - 1) / GIGABYTES, Math.max(1, (pages + PAGES - 1) / PAGES));
    return Offer.family(cover, more, Preference.ofSize(least));
  }

  private Offer devices(int request) {
    int every = 1 + random.nextInt(8);
    List<NodeSet> places = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i += every) {
      places.add(NodeSet.of(i));
      places.add(random.nextInt(4) == 0 && i > 0 ? NodeSet.of(i - 1, i) : NodeSet.of(i));
    }
    int[] homes = places.stream().flatMapToInt(place -> Arrays.stream(place.toArray())).toArray();
    Cover cover = Cover.of(nodes, NodeSet.of(homes), Demand.devices(nodes, request, places));
    return Offer.family(cover, Preference.ofSize((request + 1) / 2));
  }
}
