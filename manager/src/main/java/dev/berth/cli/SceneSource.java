package dev.berth.cli;

import dev.berth.agent.state.StateFolder;
import dev.berth.cpu.CpuSet;
import dev.berth.explain.Objections;
import dev.berth.explain.Scene;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.MemoryCheckpoint;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.OwnSettings;
import dev.berth.kubelet.ReconstructedPods;
import dev.berth.ledger.Assignments;
import dev.berth.ledger.Before;
import dev.berth.ledger.Conditions;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.DeviceAssignments;
import dev.berth.ledger.HintProviderFactory;
import dev.berth.ledger.HintProviders;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.ledger.NodeBuilder;
import dev.berth.ledger.Outcome;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node that is nowhere: a machine, settings, and who is on it by their checkpoints. */
final class SceneSource {
  private final Machine machine;
  private final NodeSettings settings;
  private final List<HintProviderFactory> providers;

  SceneSource(Machine machine, NodeSettings settings, List<HintProviderFactory> providers) {
    this.providers = providers;
    this.machine = machine;
    this.settings = settings;
  }

  /**
   * The scene.
   *
   * @param state a checkpoint or a folder with some; nobody is there where none is named
   * @param notes told who could not keep its place under these settings
   */
  Scene scene(@Nullable Path state, Consumer<String> notes) throws IOException {
    NodeBuilder builder =
        Node.builder(machine, settings.configuration())
            .devices(settings.own().devices())
            .providers(HintProviders.startLasting(providers, machine, settings.configuration()));
    if (state == null) {
      return new Scene(builder.start(), List.of(), Map.of());
    }
    Before before = before(state);
    Migration migration = Migration.plan(builder, before);
    Map<String, String> names = new HashMap<>();
    migration
        .outcomes()
        .forEach((uid, outcome) -> {
          names.put(uid, called(uid));
          if (!(outcome instanceof Outcome.Kept)) {
            notes.accept("note: " + called(uid) + " under these settings: " + outcome);
          }
        });
    return new Scene(migration.node(), before.pods(), names);
  }

  /** What an agent with these settings would have against a pod that the engine admits there. */
  static Objections objections(Scene scene, NodeSettings settings, Pod pod) {
    boolean isolated = settings.own().partition() == OwnSettings.CpuPartition.ISOLATED;
    boolean shares =
        scene.movable().stream()
            .anyMatch(other ->
                other.names().anyMatch(name -> scene.node().cpusOf(other.uid(), name).isEmpty()));
    Conditions conditions =
        new Conditions(isolated || shares, settings.own().allowEmptySharedPool(), true, Set.of());
    return after -> conditions.against(pod, after);
  }

  private Before before(Path state) throws IOException {
    if (Files.isDirectory(state) && StateFolder.isOurs(state)) {
      return StateFolder.look(state).before();
    }
    StateFiles files = StateFiles.read(state);
    SortedMap<String, Holding> holdings =
        Holding.all(
            files
                .cpus()
                .map(CpuCheckpoint::assignments)
                .orElseGet(() -> Assignments.of(CpuPolicy.NONE, CpuSet.EMPTY, Map.of())),
            files.memory().map(MemoryCheckpoint::assignments),
            DeviceAssignments.NONE);
    boolean counted =
        settings.configuration().memory().policy() == MemorySettings.Policy.STATIC
            && files.memory().isPresent();
    return new Before(
        holdings,
        ReconstructedPods.of(holdings, counted),
        files.memory().map(MemoryCheckpoint::assignments),
        Set.of());
  }

  /** A uid is a pod's own, or made of namespace and name. */
  private static String called(String uid) {
    int underscore = uid.indexOf('_');
    return underscore < 0
        ? uid
        : title(uid.substring(0, underscore), uid.substring(underscore + 1));
  }

  static String title(String namespace, String name) {
    return namespace.equals("default") ? name : namespace + "/" + name;
  }
}
