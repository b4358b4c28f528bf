package dev.berth.kubelet;

import dev.berth.json.Json;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Device;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Reservation;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Writes all settings as a file. */
final class SettingsText {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLISECOND = 1_000_000;

  private final NodeSettings settings;
  private final StringBuilder text = new StringBuilder();

  private SettingsText(NodeSettings settings) {
    this.settings = settings;
  }

  static String write(NodeSettings settings) {
    return new SettingsText(settings).write();
  }

  private String write() {
    Configuration configuration = settings.configuration();
    // Only a kubelet's file can reserve nothing; all that its kind changes besides is written out.
    boolean kubelets = configuration.reservation() instanceof Reservation.Nothing;
    if (kubelets) {
      line("kind: KubeletConfiguration");
      line("apiVersion: kubelet.config.k8s.io/v1beta1");
    }
    line("cpuManagerPolicy: " + configuration.cpuPolicy().kubernetesName());
    map("cpuManagerPolicyOptions", configuration.cpuOptions());
    line("cpuManagerReconcilePeriod: " + duration(settings.reconcilePeriod()));
    switch (configuration.reservation()) {
      case Reservation.Nothing _, Reservation.LowestCpu _ -> {}
      case Reservation.Amount(Quantity cpus) ->
          line("systemReserved: {cpu: " + quoted(cpus.toString()) + "}");
      case Reservation.These these ->
          line("reservedSystemCPUs: " + quoted(these.cpus().toString()));
    }
    line("topologyManagerPolicy: " + configuration.topology().policy().kubernetesName());
    line("topologyManagerScope: " + configuration.topology().scope().kubernetesName());
    map("topologyManagerPolicyOptions", configuration.topology().options());
    memory(configuration.memory(), kubelets);
    map("featureGates", configuration.gates().settings());
    own(settings.own());
    return text.toString();
  }

  private void memory(MemorySettings memory, boolean kubelets) {
    line("memoryManagerPolicy: " + memory.policy().kubernetesName());
    if (!memory.reserved().isEmpty()) {
      line("reservedMemory:");
    }
    long sum = 0;
    for (Map.Entry<Integer, Map<String, Long>> node : new TreeMap<>(memory.reserved()).entrySet()) {
      line("- numaNode: " + node.getKey());
      line("  limits:" + (node.getValue().isEmpty() ? " {}" : ""));
      new TreeMap<>(node.getValue())
          .forEach((kind, bytes) -> line("    " + kind + ": " + quoted(bytes.toString())));
      sum += node.getValue().getOrDefault(Resources.MEMORY, 0L);
    }
    if (kubelets && memory.policy() == MemorySettings.Policy.STATIC) {
      // A kubelet wants to find elsewhere what is reserved here, and says nowhere else where.
      line("evictionHard: {memory.available: " + quoted(Long.toString(sum)) + "}");
    }
  }

  private void own(OwnSettings own) {
    line("berth:");
    line("  allowEmptySharedPool: " + own.allowEmptySharedPool());
    line("  partition: " + own.partition().name().toLowerCase(Locale.ROOT));
    own.manifests().ifPresent(folder -> line("  manifests: " + quoted(folder.toString())));
    if (!own.devices().isEmpty()) {
      line("  devices:");
    }
    for (Device device : own.devices()) {
      line("  - resource: " + quoted(device.resource()));
      line("    id: " + quoted(device.id()));
      line("    numaNodes: " + quoted(device.nodes().toString()));
    }
    own.devicePlugins().ifPresent(folder -> line("  devicePlugins: " + quoted(folder.toString())));
    own.podResources().ifPresent(socket -> line("  podResources: " + quoted(socket.toString())));
    line("  logFormat: " + own.logFormat().name().toLowerCase(Locale.ROOT));
    line(
        "  containerLogMaxSize: "
            + quoted(Quantities.binary(Quantity.of(own.containerLogMaxSize()))));
    if (!own.httpNames().isEmpty()) {
      line(
          "  httpNames: ["
              + String.join(", ", own.httpNames().stream().map(SettingsText::quoted).toList())
              + "]");
    }
  }

  private void map(String name, Map<String, ?> values) {
    if (!values.isEmpty()) {
      line(name + ":");
      new TreeMap<>(values)
          .forEach((key, value) -> line("  " + quoted(key) + ": " + written(value)));
    }
  }

  /** A gate is a truth value, an option is text that looks like one. */
  private static String written(Object value) {
    return value instanceof Boolean ? value.toString() : quoted(value.toString());
  }

  private static String duration(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos % SECOND == 0) {
      return nanos / SECOND + "s";
    }
    return nanos % MILLISECOND == 0 ? nanos / MILLISECOND + "ms" : nanos + "ns";
  }

  /** In double quotes, as JSON has them and YAML too. */
  private static String quoted(String value) {
    return Json.quoted(value);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
