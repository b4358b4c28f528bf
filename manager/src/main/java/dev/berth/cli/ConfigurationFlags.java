package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.FlagSetting;
import dev.berth.kubelet.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The configuration that a command is to use: a file, and the flags that override it. */
final class ConfigurationFlags implements Part {
  private static final String MAP = "NAME=VALUE,...";

  private @Nullable Path file;
  private @Nullable String cpuPolicy;
  private @Nullable String cpuOptions;
  private @Nullable String reconcilePeriod;
  private @Nullable String reservedCpus;
  private @Nullable String kubeReserved;
  private @Nullable String systemReserved;
  private @Nullable String topologyPolicy;
  private @Nullable String topologyScope;
  private @Nullable String topologyOptions;
  private @Nullable String featureGates;

  @Override
  public void addTo(Syntax syntax) {
    syntax.with(
        Option.named("--config")
            .maybe("FILE", Path.class, value -> file = value)
            .says("A configuration in YAML: Berth's own, or a kubelet's. Flags override it."),
        Option.named("--cpu-manager-policy")
            .maybe("POLICY", String.class, value -> cpuPolicy = value)
            .offers(new Candidates.CpuPolicies())
            .says("none or static."),
        Option.named("--cpu-manager-policy-options")
            .maybe(MAP, String.class, value -> cpuOptions = value)
            .says("Options of the static policy, in the place of all in the file."),
        Option.named("--cpu-manager-reconcile-period")
            .maybe("TIME", String.class, value -> reconcilePeriod = value)
            .says("How often what is there is compared with what was decided, such as 10s."),
        Option.named("--reserved-cpus")
            .maybe("CPUS", String.class, value -> reservedCpus = value)
            .says("CPUs kept for the system, such as 0-1,8."),
        this::amounts,
        this::topology,
        Option.named("--feature-gates")
            .maybe(MAP, String.class, value -> featureGates = value)
            .says("Feature gates, beside those in the file."));
  }

  /** What is kept back by amount, where no CPUs are named. */
  private void amounts(Syntax syntax) {
    syntax.with(
        Option.named("--kube-reserved")
            .maybe(MAP, String.class, value -> kubeReserved = value)
            .says(
                "Amounts kept for Kubernetes' own programs, such as cpu=500m,memory=1Gi, in the"
                    + " place of all in the file."),
        Option.named("--system-reserved")
            .maybe(MAP, String.class, value -> systemReserved = value)
            .says("Amounts kept for the system, in the place of all in the file."));
  }

  /** Of the topology manager. */
  private void topology(Syntax syntax) {
    syntax.with(
        Option.named("--topology-manager-policy")
            .maybe("POLICY", String.class, value -> topologyPolicy = value)
            .offers(new Candidates.TopologyPolicies())
            .says("none, best-effort, restricted or single-numa-node."),
        Option.named("--topology-manager-scope")
            .maybe("SCOPE", String.class, value -> topologyScope = value)
            .offers(new Candidates.TopologyScopes())
            .says("container or pod."),
        Option.named("--topology-manager-policy-options")
            .maybe(MAP, String.class, value -> topologyOptions = value)
            .says("Options of the topology policy, in the place of all in the file."));
  }

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
    add(flags, "kubeReserved", "--kube-reserved", kubeReserved);
    add(flags, "systemReserved", "--system-reserved", systemReserved);
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
