package dev.berth.kubelet;

import dev.berth.cpu.CpuSet;
import java.util.SortedMap;

/**
 * Writes {@code cpu_manager_state} as Go's JSON encoder does: no blanks, keys sorted, HTML escaped.
 */
final class CpuCheckpointText {
  private CpuCheckpointText() {}

  static String write(CpuCheckpoint checkpoint) {
    String text =
        "{\"policyName\":"
            + GoJson.quote(checkpoint.policyName())
            + ",\"defaultCpuSet\":"
            + GoJson.quote(checkpoint.shared().toString());
    if (!checkpoint.entries().isEmpty()) {
      text += ",\"entries\":" + entries(checkpoint);
    }
    if (!checkpoint.podEntries().isEmpty()) {
      text += ",\"podEntries\":" + GoJson.map(checkpoint.podEntries(), CpuCheckpointText::podEntry);
    }
    return text + ",\"checksum\":" + checkpoint.checksum() + "}";
  }

  private static String entries(CpuCheckpoint checkpoint) {
    return checkpoint.format() == CpuCheckpoint.Format.V1
        ? containers(checkpoint.entries().firstEntry().getValue())
        : GoJson.map(checkpoint.entries(), CpuCheckpointText::containers);
  }

  private static String containers(SortedMap<String, CpuSet> containers) {
    return GoJson.map(containers, cpus -> GoJson.quote(cpus.toString()));
  }

  private static String podEntry(CpuSet cpus) {
    return cpus.isEmpty() ? "{}" : "{\"cpuSet\":" + GoJson.quote(cpus.toString()) + "}";
  }
}
