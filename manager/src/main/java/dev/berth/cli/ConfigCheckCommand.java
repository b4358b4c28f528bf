package dev.berth.cli;

import dev.berth.cpu.NodeSet;
import dev.berth.json.Json;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.terminal.TextTable;
import dev.berth.topology.NumaNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code berth config check}: whether an agent could start with a configuration. */
final class ConfigCheckCommand implements Command {
  private final Output output;
  private final MachineSource source = new MachineSource();
  private final ConfigurationParameter configuration = new ConfigurationParameter();
  private OutputFormat format = OutputFormat.TEXT;

  ConfigCheckCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this,
            "check",
            "Checks that an agent could start with a configuration, on this machine or another, and"
                + " prints what would hold. Nothing is touched.")
        .with(
            source,
            configuration,
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says("text or json. Default: text."))
        .footer(
            "",
            "Exit code 2 and one line where it could not.",
            "",
            "Examples:",
            "  berth config check /etc/berth/berth.yaml",
            "  berth config check /var/lib/kubelet/config.yaml --machine epyc-7702p")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    NodeSettings settings = configuration.settings();
    Node node =
        Node.builder(source.machine(), settings.configuration())
            .devices(settings.own().devices())
            .start();
    Map<String, String> holds = holds(settings, node);
    List<String> warnings = warnings(settings, node);
    switch (format) {
      case TEXT -> {
        List<List<String>> rows = new ArrayList<>();
        holds.forEach((name, value) -> rows.add(List.of(name, value)));
        output.out().print(TextTable.wrapped(rows, output.tableWidth()));
        warnings.forEach(warning -> output.out().println("warning: " + warning));
      }
      case JSON -> {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ObjectNode object = json.putObject("holds");
        holds.forEach(object::put);
        warnings.forEach(json.putArray("warnings")::add);
        output.out().println(Json.write(json));
      }
    }
    return ExitCode.DONE.number();
  }

  private static Map<String, String> holds(NodeSettings settings, Node node) {
    Configuration decides = settings.configuration();
    Map<String, String> holds = new LinkedHashMap<>();
    holds.put("machine", node.machine().name() + ", CPUs " + node.machine().cpus());
    holds.put("CPU policy", decides.cpuPolicy().kubernetesName());
    holds.put("options", orNone(String.join(", ", decides.optionsOn())));
    holds.put("reserved CPUs", orNone(node.reserved().toString()));
    holds.put("shared pool", orNone(node.shared().toString()));
    holds.put("assignable", orNone(node.assignable().toString()));
    holds.put(
        "topology policy",
        decides.topology().policy().kubernetesName()
            + " by "
            + decides.topology().scope().kubernetesName());
    holds.put("topology options", orNone(pairs(decides.topology().options())));
    holds.put("memory policy", decides.memory().policy().kubernetesName());
    holds.put("feature gates", orNone(pairs(decides.gates().settings())));
    holds.put("reconcile period", settings.reconcilePeriod().toMillis() + " ms");
    holds.put("manifests", settings.own().manifests().map(Path::toString).orElse("none"));
    holds.put("device plugins", settings.own().devicePlugins().map(Path::toString).orElse("none"));
    holds.put("pod resources", settings.own().podResources().map(Path::toString).orElse("none"));
    return holds;
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "none" : text;
  }

  private static String pairs(Map<String, ?> map) {
    return new TreeMap<>(map)
        .entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(", "));
  }

  /** What works, but may not be what was meant. */
  private static List<String> warnings(NodeSettings settings, Node node) {
    List<String> warnings = new ArrayList<>(settings.notHonoured());
    warnings.addAll(node.notes());
    Configuration decides = settings.configuration();
    if (decides.cpuPolicy() == CpuPolicy.NONE) {
      warnings.add("CPU policy none: no container gets CPUs of its own");
    } else if (node.assignable().isEmpty()) {
      warnings.add("every CPU is reserved: no container can get CPUs of its own");
    }
    if (node.shared().isEmpty()) {
      warnings.add("the shared pool is empty: nothing without CPUs of its own can run");
    }
    if (decides.memory().policy() == MemorySettings.Policy.NONE
        && !decides.memory().reserved().isEmpty()) {
      warnings.add("reservedMemory has no effect under memoryManagerPolicy None");
    }
    NodeSet there = NodeSet.of(node.machine().nodes().stream().mapToInt(NumaNode::id).toArray());
    for (int id : new TreeSet<>(decides.memory().reserved().keySet())) {
      if (!there.contains(id)) {
        warnings.add(
            "reservedMemory: expected a NUMA node of "
                + there
                + ", found "
                + id
                + ": nothing is reserved there");
      }
    }
    settings
        .own()
        .manifests()
        .filter(folder -> !Files.isDirectory(folder))
        .ifPresent(folder -> warnings.add(folder + ": there is no such folder for manifests yet"));
    return warnings;
  }
}
