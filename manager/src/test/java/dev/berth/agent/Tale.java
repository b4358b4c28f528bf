package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.render.MachineJson;
import dev.berth.story.Alignment;
import dev.berth.story.Boundary;
import dev.berth.story.Step;
import dev.berth.story.Story;
import dev.berth.story.Story.Told;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Makes up stories: pods come and go by chance, and the engine decides. */
final class Tale {
  private static final List<String> WORDS =
      List.of("orders", "feed", "matching", "risk", "db", "cache", "train", "batch");
  private static final List<String> HOSTILE =
      List.of(
          "<script>alert(1)</script>",
          "\"><img src=x onerror=alert(1)>",
          "</script><!--",
          "a-name-that-goes-on-and-on-".repeat(8),
          "${alert(1)}");

  private final Node node;
  private final Random random;
  private final IntFunction<String> naming;
  private final List<Told> pods = new ArrayList<>();
  private final List<Integer> here = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private CpuSet shared;
  private double at;

  private Tale(Machine machine, long seed, IntFunction<String> naming) {
    node = Node.builder(machine, NodeSettings.DEFAULTS.configuration()).start();
    shared = node.shared();
    random = new Random(seed);
    this.naming = naming;
  }

  static Story of(Machine machine, int steps, long seed) {
    return new Tale(machine, seed, i -> WORDS.get(i * 7 % WORDS.size()) + "-" + i).told(steps);
  }

  /** With names that would like to be more than names. */
  static Story hostile(Machine machine, int steps, long seed) {
    return new Tale(machine, seed, i -> HOSTILE.get(i % HOSTILE.size())).told(steps);
  }

  private Story told(int count) {
    Story.Start start = Story.Start.empty(shared);
    while (steps.size() < count) {
      at = Math.round(10 * (at + random.nextDouble() * 60)) / 10.0;
      if (!here.isEmpty() && random.nextInt(100) < 42) {
        int position = random.nextInt(here.size());
        int pod = here.get(position);
        here.subList(position, position + 1).clear();
        node.remove(pods.get(pod).uid());
        add(Step.of(at, Step.Kind.REMOVED, pod));
      } else {
        admit();
      }
    }
    return new Story(
        "a made-up day on " + node.machine().name(),
        Optional.empty(),
        MachineJson.tree(node.machine()),
        NodeSettings.DEFAULTS.yaml(),
        node.reserved(),
        pods,
        start,
        steps);
  }

  private void admit() {
    int number = pods.size();
    int most = Math.max(1, node.machine().cpus().size() / 12);
    String uid = "uid-" + number;
    Pod pod =
        random.nextInt(4) == 0
            ? Pod.of(uid, List.of(new Container("app", Role.APP, Resources.NONE)))
            : Pod.guaranteed(uid, 1 + random.nextInt(most));
    pods.add(Told.of(number % 5 == 0 ? "trading" : "default", naming.apply(number), pod));
    switch (node.admit(pod)) {
      case Decision.Granted granted -> {
        here.add(number);
        SortedMap<String, Set<Boundary>> aligned = new TreeMap<>();
        granted
            .cpus()
            .forEach((name, cpus) -> aligned.put(name, Alignment.on(node.machine()).of(cpus)));
        Holding holding =
            new Holding(
                new TreeMap<>(granted.cpus()),
                CpuSet.EMPTY,
                new TreeMap<>(),
                List.of(),
                new TreeMap<>());
        add(
            explained(
                Step.of(at, Step.Kind.ADMITTED, number)
                    .with(holding)
                    .placed(new TreeMap<>(), aligned),
                granted));
      }
      case Decision.Refused refused ->
          add(
              explained(
                  Step.of(at, Step.Kind.REFUSED, number)
                      .because(refused.reason().kubernetesName(), refused.message()),
                  refused));
    }
  }

  /** Explanations of all steps of a long story would be most of it. */
  private Step explained(Step step, Decision decision) {
    return steps.size() < 1_000 ? step.explained(decision.why().lines()) : step;
  }

  private void add(Step step) {
    boolean changed = !node.shared().equals(shared);
    shared = node.shared();
    steps.add(changed ? step.shared(shared) : step);
  }
}
