package dev.berth.kubelet;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.kubelet.YamlValue.Items;
import dev.berth.kubelet.YamlValue.Mapping;
import dev.berth.kubelet.YamlValue.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a kubelet's configuration says about CPUs, memory, devices, topology or reconciling and
 * Berth does not do. Whoever wrote it expects that it holds, so it is named; all that is about
 * something else is passed over, and so is what Berth does anyway.
 */
final class NotHonoured {
  private static final String NONE = "Berth has no such setting";

  /** Keys, and why they do not count. */
  private static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry(
              "nodeStatusUpdateFrequency",
              "how often Berth reconciles is cpuManagerReconcilePeriod's to say"),
          Map.entry(
              "syncFrequency", "how often Berth reconciles is cpuManagerReconcilePeriod's to say"),
          Map.entry("cpuCFSQuota", "Berth limits the CPU time of containers on the shared pool"),
          Map.entry("cpuCFSQuotaPeriod", "Berth's period is 100ms"),
          Map.entry("podsPerCore", NONE),
          Map.entry("enforceNodeAllocatable", NONE),
          Map.entry("systemReservedCgroup", NONE),
          Map.entry("kubeReservedCgroup", NONE),
          Map.entry("qosReserved", NONE),
          Map.entry("memorySwap", NONE),
          Map.entry("failSwapOn", NONE),
          Map.entry("memoryThrottlingFactor", NONE),
          Map.entry("memoryReservationPolicy", NONE),
          Map.entry("singleProcessOOMKill", NONE),
          Map.entry("kernelMemcgNotification", NONE),
          Map.entry("evictionSoft", "Berth evicts nothing"),
          Map.entry("evictionMinimumReclaim", "Berth evicts nothing"));

  /** Values that say what Berth does anyway. */
  private static final Map<String, String> ANYWAY =
      Map.of("cpuCFSQuota", "true", "cpuCFSQuotaPeriod", "100ms");

  /** Gates whose feature Berth always has: of these, only "off" is not honoured. */
  private static final Set<String> ALWAYS_ON =
      Set.of(
          "CPUManager",
          "MemoryManager",
          "TopologyManager",
          "TopologyManagerPolicyOptions",
          "TopologyManagerPolicyAlphaOptions",
          "TopologyManagerPolicyBetaOptions",
          "DevicePlugins",
          "HugePages",
          "KubeletPodResources",
          "KubeletPodResourcesGet",
          "KubeletPodResourcesGetAllocatable",
          "DisableCPUQuotaWithExclusiveCPUs");

  /** Gates that begin with the words below, and are about Services or volumes. */
  private static final Set<String> ABOUT_OTHERS =
      Set.of("TopologyAwareHints", "MemoryBackedVolumes", "SizeMemoryBackedVolumes");

  private static final Pattern SUBJECT =
      Pattern.compile(
          "CPU|Memory|Swap|HugePage|NUMA|Topology|Device|^DRA|DynamicResource|PodResources"
              + "|PodLevelResource|VerticalScaling|QOS|QoS|ResourceHealth|Reconcil");

  private NotHonoured() {}

  /** A line each, in the order of the file. */
  static List<String> lines(Map<String, YamlField> settings) {
    List<String> lines = new ArrayList<>();
    settings.forEach((name, field) -> {
      String why = KEYS.get(name);
      if (why != null && isSet(field) && !written(field).equals(ANYWAY.get(name))) {
        lines.add(line(field, why));
      }
    });
    YamlField gates = settings.get("featureGates");
    if (gates != null) {
      gates.fields().forEach((name, gate) -> addGate(name, gate, lines));
    }
    return lines;
  }

  /** An empty text, map or list and a period of nothing are as good as no setting at all. */
  private static boolean isSet(YamlField field) {
    return switch (field.value()) {
      case Scalar scalar -> !scalar.text().isEmpty() && !scalar.text().equals("0s");
      case Mapping mapping -> !mapping.entries().isEmpty();
      case Items items -> !items.values().isEmpty();
    };
  }

  private static void addGate(String name, YamlField gate, List<String> lines) {
    boolean known = Arrays.stream(Gate.values()).anyMatch(one -> one.kubernetesName().equals(name));
    String value = written(gate).toLowerCase(Locale.ROOT);
    if (known || ABOUT_OTHERS.contains(name)) {
      return;
    }
    if (ALWAYS_ON.contains(name)) {
      if (value.equals("false")) {
        lines.add(line(gate, "Berth always has it on"));
      }
    } else if (SUBJECT.matcher(name).find() && value.equals("true")) {
      lines.add(line(gate, "Berth does not have it"));
    }
  }

  private static String written(YamlField field) {
    return field.value() instanceof Scalar scalar ? scalar.text() : "";
  }

  private static String line(YamlField field, String why) {
    String value = written(field);
    return field.origin()
        + ": "
        + field.path()
        + (value.isEmpty() ? "" : ": " + YamlField.shown(value))
        + " is not honoured: "
        + why;
  }
}
