package dev.berth.kubelet;

import dev.berth.cpu.CpuSet;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The text over which a kubelet computes a checkpoint's checksum: Go's dump of the value, with
 * types in parentheses and map keys sorted, hashed by 32-bit FNV-1a.
 */
final class GoDump {
  private static final int OFFSET = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private GoDump() {}

  static <V> String map(SortedMap<String, V> entries, Function<V, String> value) {
    StringBuilder text = new StringBuilder("map[");
    int start = text.length();
    entries.forEach((key, entry) -> {
      text.append(text.length() == start ? "" : " ");
      text.append(key).append(':').append(value.apply(entry));
    });
    return text.append(']').toString();
  }

  /** A CPU set as Go holds it: a map from CPU to nothing. */
  static String cpuSet(CpuSet cpus) {
    return cpus.stream()
        .mapToObj(cpu -> cpu + ":{}")
        .collect(Collectors.joining(" ", "(cpuset.CPUSet){elems:(map[int]struct {})map[", "]}"));
  }

  /** The hash as the unsigned number that is written. */
  static long checksum(String dump) {
    int hash = OFFSET;
    for (byte octet : dump.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (octet & 0xff)) * PRIME;
    }
    return Integer.toUnsignedLong(hash);
  }
}
