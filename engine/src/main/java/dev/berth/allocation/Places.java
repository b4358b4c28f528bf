package dev.berth.allocation;

import dev.berth.cpu.CpuSet;
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
  final int[] ids;
  final int[] sizes;
  final int average;
  final int smallest;
  final int largest;
  private final int words;
  private final long[] masks;

  Places(Machine machine, Level level, int words) {
    List<Domain> domains = machine.domains(level);
    this.level = level;
    this.words = words;
    count = domains.size();
    ids = new int[count];
    sizes = new int[count];
    average = machine.cpusPer(level);
    int least = Integer.MAX_VALUE;
    int most = 0;
    masks = new long[count * words];
    for (int place = 0; place < count; place++) {
      ids[place] = domains.get(place).id();
      sizes[place] = domains.get(place).size();
      least = Math.min(least, sizes[place]);
      most = Math.max(most, sizes[place]);
      CpuSet cpus = domains.get(place).cpus();
      for (int word = 0; word < words; word++) {
        masks[place * words + word] = cpus.word(word);
      }
    }
    smallest = least;
    largest = most;
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
