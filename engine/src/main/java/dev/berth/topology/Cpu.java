package dev.berth.topology;

import dev.berth.cpu.InvalidInputException;

/**
 * One logical CPU and where it sits, all by the kernel's numbers.
 *
 * @param id the CPU
 * @param core the lowest usable CPU of its core, which is the core's name
 * @param socket its package
 * @param node its NUMA node
 * @param cache its last-level cache; its socket's number where the machine has no L3
 */
public record Cpu(int id, int core, int socket, int node, int cache) {
  /** Refuses a number below 0. */
  public Cpu {
    if (id < 0 || core < 0 || socket < 0 || node < 0 || cache < 0) {
      throw new InvalidInputException(
          "cpu "
              + id
              + ": expected numbers from 0, found core "
              + core
              + ", socket "
              + socket
              + ", node "
              + node
              + ", cache "
              + cache);
    }
  }

  /** The number of the place of the given kind that it sits in. */
  public int in(Level level) {
    return switch (level) {
      case SOCKET -> socket;
      case NODE -> node;
      case CACHE -> cache;
      case CORE -> core;
    };
  }
}
