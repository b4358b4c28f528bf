package dev.berth.kubelet;

import dev.berth.cpu.CpuSet;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes {@code cpu_manager_state} as Go's JSON encoder does: no blanks, keys sorted, HTML escaped.
 */
final class CpuCheckpointText {
  private CpuCheckpointText() {}

  static String write(CpuCheckpoint checkpoint) {
    String text =
        "{\"policyName\":"
            + quote(checkpoint.policyName())
            + ",\"defaultCpuSet\":"
            + quote(checkpoint.shared().toString());
    if (!checkpoint.entries().isEmpty()) {
      text += ",\"entries\":" + entries(checkpoint);
    }
    if (!checkpoint.podEntries().isEmpty()) {
      text += ",\"podEntries\":" + map(checkpoint.podEntries(), CpuCheckpointText::podEntry);
    }
    return text + ",\"checksum\":" + checkpoint.checksum() + "}";
  }

  private static String entries(CpuCheckpoint checkpoint) {
    return checkpoint.format() == CpuCheckpoint.Format.V1
        ? containers(checkpoint.entries().firstEntry().getValue())
        : map(checkpoint.entries(), CpuCheckpointText::containers);
  }

  private static String containers(SortedMap<String, CpuSet> containers) {
    return map(containers, cpus -> quote(cpus.toString()));
  }

  private static String podEntry(CpuSet cpus) {
    return cpus.isEmpty() ? "{}" : "{\"cpuSet\":" + quote(cpus.toString()) + "}";
  }

  private static <V> String map(SortedMap<String, V> entries, Function<V, String> value) {
    return entries.entrySet().stream()
        .map(entry -> quote(entry.getKey()) + ":" + value.apply(entry.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    text.codePoints()
        .forEach(point -> {
          switch (point) {
            case '"', '\\' -> quoted.append('\\').appendCodePoint(point);
            case '\b' -> quoted.append("\\b");
            case '\f' -> quoted.append("\\f");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            case '<', '>', '&', 0x2028, 0x2029 -> quoted.append(String.format("\\u%04x", point));
            default -> {
              if (point < 0x20) {
                quoted.append(String.format("\\u%04x", point));
              } else {
                quoted.appendCodePoint(point);
              }
            }
          }
        });
    return quoted.append('"').toString();
  }
}
