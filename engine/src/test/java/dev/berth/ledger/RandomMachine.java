package dev.berth.ledger;

import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Machines made at random: first a regular shape, then twists that real ones have (an offline
 * thread, cores of two kinds, gaps in the numbers, a cache wider than a node, a node wider than a
 * socket), and some that none has (nodes that cut across sockets, every CPU anywhere).
 */
public final class RandomMachine {
  private static final int MOST_CPUS = 160;

  /** A CPU before it has a number; its core, cache, node and socket are counted from 0. */
  private static final class Place {
    int socket;
    int node;
    int cache;
    int core;
    int thread;
  }

  private final Random random;
  private final List<Place> places = new ArrayList<>();
  private int sockets;
  private int nodes;
  private int caches;
  private int cores;

  private RandomMachine(Random random) {
    this.random = random;
  }

  /** A machine. */
  public static Machine make(Random random) {
    RandomMachine machine = new RandomMachine(random);
    machine.shape();
    machine.twist();
    return machine.number();
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  private void shape() {
    int nodesPerSocket;
    int cachesPerNode;
    int coresPerCache;
    int threads;
    do {
      sockets = 1 + random.nextInt(oneIn(4) ? 4 : 2);
      nodesPerSocket = 1 + random.nextInt(oneIn(4) ? 8 : 3);
      cachesPerNode = 1 + random.nextInt(4);
      coresPerCache = 1 + random.nextInt(6);
      threads = new int[] {1, 2, 2, 2, 4}[random.nextInt(5)];
      nodes = sockets * nodesPerSocket;
      caches = nodes * cachesPerNode;
      cores = caches * coresPerCache;
    } while (cores * threads > MOST_CPUS || cores * threads < 2);
    boolean hybrid = threads > 1 && oneIn(6);
    for (int core = 0; core < cores; core++) {
      boolean small = hybrid && core % coresPerCache >= (coresPerCache + 1) / 2;
      for (int thread = 0; thread < (small ? 1 : threads); thread++) {
        Place place = new Place();
        place.core = core;
        place.thread = thread;
        place.cache = core / coresPerCache;
        place.node = place.cache / cachesPerNode;
        place.socket = place.node / nodesPerSocket;
        places.add(place);
      }
    }
  }

  private void twist() {
    switch (random.nextInt(14)) {
      case 0 -> places.forEach(place -> place.cache = place.socket);
      case 1 -> places.forEach(place -> place.cache = place.node / 2);
      case 2 -> places.forEach(place -> place.node = 0);
      case 3 -> places.forEach(place -> place.node = place.socket / 2);
      case 4 -> places.forEach(place -> place.node = place.core % nodes);
      case 5 -> places.forEach(place -> place.cache = place.core % caches);
      case 6 -> places.forEach(place -> place.cache = place.core);
      case 7 -> scatter();
      default -> {}
    }
    if (oneIn(5)) {
      for (int i = random.nextInt(4); i >= 0 && places.size() > 2; i--) {
        places.remove(random.nextInt(places.size()));
      }
    }
  }

  /** No machine is like this; the rules hold on it all the same. */
  private void scatter() {
    for (Place place : places) {
      place.core = random.nextInt(cores);
      place.cache = random.nextInt(caches);
      place.node = random.nextInt(nodes);
      place.socket = random.nextInt(sockets);
    }
  }

  private Machine number() {
    switch (random.nextInt(5)) {
      case 0, 1 -> places.sort(Comparator.comparingInt(place -> place.thread));
      case 2 ->
          places.sort(
              Comparator.comparingInt((Place place) -> place.thread)
                  .thenComparingInt(place -> place.core % Math.max(1, cores / sockets)));
      case 3 -> Collections.shuffle(places, random);
      default -> {}
    }
    int gap = oneIn(5) ? 1 + random.nextInt(90) : 0;
    int nodeStep = oneIn(8) ? 1 + random.nextInt(3) : 1;
    int cacheStep = oneIn(6) ? 3 : 1;
    int socketStep = oneIn(8) ? 36 : 1;
    Map<Integer, Integer> coreNames = new HashMap<>();
    MachineBuilder builder = Machine.builder("random");
    int id = oneIn(6) ? random.nextInt(70) : 0;
    for (Place place : places) {
      coreNames.putIfAbsent(place.core, id);
      builder.cpu(
          id,
          coreNames.getOrDefault(place.core, id),
          place.socket * socketStep,
          place.node * nodeStep,
          place.cache * cacheStep);
      id += 1 + (gap > 0 && oneIn(4) ? random.nextInt(gap) : 0);
    }
    return builder.build();
  }
}
