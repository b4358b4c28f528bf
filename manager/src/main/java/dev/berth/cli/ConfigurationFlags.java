package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.FlagSetting;
import dev.berth.kubelet.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The configuration that a command is to use: a file, and the flags that override it. */
final class ConfigurationFlags {
  private static final String MAP = "NAME=VALUE,...";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A configuration in YAML: Berth's own, or a kubelet's. Flags override it.")
  private @Nullable Path file;

  @Option(
      names = "--cpu-manager-policy",
      completionCandidates = Candidates.CpuPolicies.class,
      paramLabel = "POLICY",
      description = "none or static.")
  private @Nullable String cpuPolicy;

  @Option(
      names = "--cpu-manager-policy-options",
      paramLabel = MAP,
      description = "Options of the static policy, in the place of all in the file.")
  private @Nullable String cpuOptions;

  @Option(
      names = "--cpu-manager-reconcile-period",
      paramLabel = "TIME",
      description = "How often what is there is compared with what was decided, such as 10s.")
  private @Nullable String reconcilePeriod;

  @Option(
      names = "--reserved-cpus",
      paramLabel = "CPUS",
      description = "CPUs kept for the system, such as 0-1,8.")
  private @Nullable String reservedCpus;

  @Option(
      names = "--topology-manager-policy",
      completionCandidates = Candidates.TopologyPolicies.class,
      paramLabel = "POLICY",
      description = "none, best-effort, restricted or single-numa-node.")
  private @Nullable String topologyPolicy;

  @Option(
      names = "--topology-manager-scope",
      completionCandidates = Candidates.TopologyScopes.class,
      paramLabel = "SCOPE",
      description = "container or pod.")
  private @Nullable String topologyScope;

  @Option(
      names = "--topology-manager-policy-options",
      paramLabel = MAP,
      description = "Options of the topology policy, in the place of all in the file.")
  private @Nullable String topologyOptions;

  @Option(
      names = "--feature-gates",
      paramLabel = MAP,
      description = "Feature gates, beside those in the file.")
  private @Nullable String featureGates;

  /** The file's name, for errors; empty where none was named. */
  String source() {
    Path given = file;
    return given == null ? "" : given.toString();
  }

  /**
   * Takes this file, as if it had been named by its flag.
   *
   * @throws InvalidInputException where the flag names another
   */
  void takeFile(Path other) {
    if (file != null) {
      throw new InvalidInputException(
          "--config: expected one file in all, found " + file + " beside " + other);
    }
    file = other;
  }

  /** Whether a file was named. */
  boolean isFileGiven() {
    return file != null;
  }

  /** Whether a file or a flag was given. */
  boolean isGiven() {
    return isFileGiven() || !flags().isEmpty();
  }

  /**
   * What file and flags come to.
   *
   * @throws dev.berth.cpu.InvalidInputException where either cannot be understood
   * @throws IOException where the file cannot be read
   */
  NodeSettings settings() throws IOException {
    Path given = file;
    return given == null
        ? NodeSettings.read("", "", flags())
        : NodeSettings.read(given.toString(), TextFile.read(given), flags());
  }

  /**
   * What file and flags come to, where something else stands in for a file that was not named.
   *
   * @param otherwise a configuration in YAML, and
   * @param from what it is called in an error
   */
  NodeSettings settings(String from, String otherwise) throws IOException {
    return isFileGiven() ? settings() : NodeSettings.read(from, otherwise, flags());
  }

  private List<FlagSetting> flags() {
    List<FlagSetting> flags = new ArrayList<>();
    add(flags, "cpuManagerPolicy", "--cpu-manager-policy", cpuPolicy);
    add(flags, "cpuManagerPolicyOptions", "--cpu-manager-policy-options", cpuOptions);
    add(flags, "cpuManagerReconcilePeriod", "--cpu-manager-reconcile-period", reconcilePeriod);
    add(flags, "reservedSystemCPUs", "--reserved-cpus", reservedCpus);
    add(flags, "topologyManagerPolicy", "--topology-manager-policy", topologyPolicy);
    add(flags, "topologyManagerScope", "--topology-manager-scope", topologyScope);
    add(
        flags,
        "topologyManagerPolicyOptions",
        "--topology-manager-policy-options",
        topologyOptions);
    add(flags, "featureGates", "--feature-gates", featureGates);
    return flags;
  }

  private static void add(
      List<FlagSetting> flags, String setting, String flag, @Nullable String text) {
    if (text != null) {
      flags.add(new FlagSetting(setting, flag, text));
    }
  }
}
