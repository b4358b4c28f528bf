package dev.berth.allocation;

import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.List;

/**
 * All places of one kind as flat arrays, by position; positions are in the order of the ids, so
 * "lowest id first" is "lowest position first".
 */
final class Places {
  final Level level;
  final int count;
  final int[] sizes;
  final int average;
  final int smallest;
  final int largest;
  private final List<Domain> domains;
  private final int words;
  private final long[] masks;

  Places(Machine machine, Level level) {
    this.level = level;
    words = machine.cpus().wordCount();
    domains = machine.domains(level);
    count = domains.size();
    sizes = new int[count];
    masks = new long[count * words];
    average = machine.cpusPer(level);
    int[] positions = machine.positions(level);
    for (int cpu = 0; cpu < positions.length; cpu++) {
      int place = positions[cpu];
      if (place >= 0) {
        sizes[place]++;
        masks[place * words + (cpu >> 6)] |= 1L << cpu;
      }
    }
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (int size : sizes) {
      least = Math.min(least, size);
      most = Math.max(most, size);
    }
    smallest = least;
    largest = most;
  }

  /** The kernel's number for the place. */
  int id(int place) {
    return domains.get(place).id();
  }

  /** How many of the CPUs in {@code free} are in the place. */
  int free(long[] free, int place) {
    int sum = 0;
    int base = place * words;
    for (int word = 0; word < words; word++) {
      sum += Long.bitCount(free[word] & masks[base + word]);
    }
    return sum;
  }

  /** Whether a CPU of {@code free} is in this place and in the other one. */
  boolean meets(long[] free, int place, Places other, int otherPlace) {
    for (int word = 0; word < words; word++) {
      if ((free[word] & mask(place, word) & other.mask(otherPlace, word)) != 0) {
        return true;
      }
    }
    return false;
  }

  long mask(int place, int word) {
    return masks[place * words + word];
  }
}
