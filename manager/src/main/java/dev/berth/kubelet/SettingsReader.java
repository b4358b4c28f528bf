package dev.berth.kubelet;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.StaticOption;
import dev.berth.allocation.StaticOptions;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Reservation;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Gives every setting of a file its meaning. */
final class SettingsReader {
  /** What a file of our own may say, in the order of the documentation. */
  static final List<String> KEYS =
      List.of(
          "cpuManagerPolicy",
          "cpuManagerPolicyOptions",
          "cpuManagerReconcilePeriod",
          "reservedSystemCPUs",
          "systemReserved",
          "kubeReserved",
          "topologyManagerPolicy",
          "topologyManagerScope",
          "topologyManagerPolicyOptions",
          "memoryManagerPolicy",
          "reservedMemory",
          "featureGates",
          "berth");

  private static final String STRICT = "strict-cpu-reservation";
  private static final String KIND = "KubeletConfiguration";
  private static final String VERSION = "kubelet.config.k8s.io/v1beta1";
  private static final Duration RECONCILE_PERIOD = Duration.ofSeconds(10);

  private final Map<String, YamlField> settings;
  private final boolean kubelets;

  private SettingsReader(Map<String, YamlField> settings, boolean kubelets) {
    this.settings = settings;
    this.kubelets = kubelets;
  }

  static SettingsReader of(String source, String text, List<FlagSetting> flags) {
    List<YamlValue> documents = Yaml.read(source, text);
    if (documents.size() > 1) {
      throw new InvalidInputException(
          documents.get(1).origin() + ": expected one document, found another");
    }
    Map<String, YamlField> settings = new LinkedHashMap<>();
    boolean kubelets = false;
    if (!documents.isEmpty()) {
      YamlField document = YamlField.document(documents.getFirst());
      settings.putAll(document.fields());
      kubelets = isKubelets(document, settings);
    }
    for (FlagSetting flag : flags) {
      settings.put(flag.setting(), override(flag, settings));
    }
    return new SettingsReader(settings, kubelets);
  }

  private static boolean isKubelets(YamlField document, Map<String, YamlField> settings) {
    YamlField kind = settings.get("kind");
    if (kind == null) {
      document.expectKeys(KEYS);
      return false;
    }
    if (!kind.text().equals(KIND)) {
      throw kind.error(KIND + ", or no kind in a file of Berth's own");
    }
    YamlField version = settings.get("apiVersion");
    if (version == null || !version.text().equals(VERSION)) {
      throw version == null
          ? kind.error("apiVersion " + VERSION + " beside it", "none")
          : version.error(VERSION);
    }
    return true;
  }

  private static YamlField override(FlagSetting flag, Map<String, YamlField> settings) {
    return switch (flag.setting()) {
      case "featureGates" -> {
        YamlField before = settings.get("featureGates");
        yield flag.map(before == null ? Map.of() : before.fields());
      }
      case "cpuManagerPolicyOptions",
          "topologyManagerPolicyOptions",
          "kubeReserved",
          "systemReserved" ->
          flag.map(Map.of());
      default -> flag.single();
    };
  }

  NodeSettings read() {
    FeatureGates gates = new GateReader(kubelets).read(setting("featureGates"));
    CpuPolicy policy =
        setting("cpuManagerPolicy", CpuPolicy::named, kubelets ? CpuPolicy.NONE : CpuPolicy.STATIC);
    Configuration configuration =
        new Configuration(
            policy, cpuOptions(policy, gates), gates, reservation(), topology(), memory());
    Duration period = setting("cpuManagerReconcilePeriod", GoDuration::parse, RECONCILE_PERIOD);
    return new NodeSettings(
        configuration,
        period.isZero() ? RECONCILE_PERIOD : period,
        own(configuration),
        kubelets ? NotHonoured.lines(settings) : List.of());
  }

  /** Isolated CPUs are taken from everybody else, so nobody may count on reserved ones too. */
  private OwnSettings own(Configuration configuration) {
    Optional<YamlField> berth = setting("berth");
    OwnSettings own = berth.map(OwnReader::read).orElse(OwnSettings.DEFAULTS);
    if (own.partition() == OwnSettings.CpuPartition.ISOLATED) {
      YamlField field = berth.orElseThrow().field("partition").orElseThrow();
      if (!configuration.cpuOptions().getOrDefault(STRICT, "").equals("true")) {
        throw field.error("cpuManagerPolicyOptions " + STRICT + ": true beside it", "none such");
      }
      if (own.allowEmptySharedPool()) {
        throw field.error("allowEmptySharedPool false beside it", "true");
      }
    }
    return own;
  }

  private Optional<YamlField> setting(String name) {
    return Optional.ofNullable(settings.get(name));
  }

  /** An empty text is as good as none, as for a kubelet. */
  private <T> T setting(String name, Function<String, T> reader, T otherwise) {
    return setting(name)
        .filter(field -> !field.text().isEmpty())
        .map(field -> field.as(reader))
        .orElse(otherwise);
  }

  private Map<String, String> cpuOptions(CpuPolicy policy, FeatureGates gates) {
    Optional<YamlField> field = setting("cpuManagerPolicyOptions");
    Map<String, String> options = field.map(YamlField::texts).orElse(Map.of());
    field.ifPresent(given -> {
      switch (policy) {
        case STATIC -> {
          options.keySet().forEach(name -> expectNoTypo(given, name));
          given.within(() -> StaticOptions.parse(options, gates));
        }
        case NONE -> {
          if (!options.isEmpty()) {
            throw given.error(
                "none under cpuManagerPolicy none", String.join(", ", options.keySet()));
          }
        }
      }
    });
    return options;
  }

  private static void expectNoTypo(YamlField given, String name) {
    List<String> known =
        Arrays.stream(StaticOption.values()).map(StaticOption::kubernetesName).toList();
    if (!known.contains(name)) {
      Nearest.to(name, known)
          .ifPresent(near -> {
            throw given.error("a known option", "\"" + name + "\", did you mean " + near + "?");
          });
    }
  }

  private TopologySettings topology() {
    Policy policy =
        setting(
            "topologyManagerPolicy", Policy::named, kubelets ? Policy.NONE : Policy.BEST_EFFORT);
    Scope scope = setting("topologyManagerScope", Scope::named, Scope.CONTAINER);
    Optional<YamlField> field = setting("topologyManagerPolicyOptions");
    if (field.isEmpty()) {
      return new TopologySettings(policy, scope, Map.of());
    }
    Map<String, String> options = field.get().texts();
    return field.get().within(() -> new TopologySettings(policy, scope, options).checked());
  }

  private MemorySettings memory() {
    MemoryReservationReader reader =
        new MemoryReservationReader(
            kubelets, setting("reservedMemory"), setting("memoryManagerPolicy"));
    MemorySettings memory =
        new MemorySettings(
            setting(
                "memoryManagerPolicy", MemorySettings.Policy::named, MemorySettings.Policy.NONE),
            reader.read());
    if (memory.policy() == MemorySettings.Policy.STATIC) {
      reader.check(
          memory,
          new SystemMemory(
              reserved("systemReserved", Resources.MEMORY),
              reserved("kubeReserved", Resources.MEMORY),
              kubelets
                  ? Eviction.memory(
                      setting("evictionHard"), setting("mergeDefaultEvictionSettings"))
                  : Optional.of(Quantity.ZERO)));
    }
    return memory;
  }

  private Reservation reservation() {
    CpuSet cpus = setting("reservedSystemCPUs", CpuSet::parse, CpuSet.EMPTY);
    Optional<Quantity> system = reserved("systemReserved", Resources.CPU);
    Optional<Quantity> kube = reserved("kubeReserved", Resources.CPU);
    if (!cpus.isEmpty()) {
      return new Reservation.These(cpus);
    }
    if (system.isPresent() || kube.isPresent()) {
      return new Reservation.Amount(system.orElse(Quantity.ZERO).plus(kube.orElse(Quantity.ZERO)));
    }
    return kubelets ? new Reservation.Nothing() : new Reservation.LowestCpu();
  }

  private Optional<Quantity> reserved(String name, String resource) {
    return setting(name).flatMap(field -> Optional.ofNullable(amounts(field).get(resource)));
  }

  private static Map<String, Quantity> amounts(YamlField field) {
    field.expectKeys(List.of("cpu", "memory", "ephemeral-storage", "pid"));
    Map<String, Quantity> amounts = new LinkedHashMap<>();
    field.fields().forEach((name, amount) -> amounts.put(name, Quantities.read(amount)));
    return amounts;
  }
}
