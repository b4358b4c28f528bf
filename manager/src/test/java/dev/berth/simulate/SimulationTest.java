package dev.berth.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.simulate.Figures.Aligned;
import dev.berth.story.Boundary;
import dev.berth.story.Step;
import dev.berth.story.Story;
import dev.berth.story.StoryJson;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulationTest {
  /** CPUs 0-3 are an L3 cache of two cores, 0-7 one NUMA node, 8-15 the other. */
  private static final Machine SMALL = Machines.parse("pack:1 node:2 l3:2 core:2 pu:2");

  private static Scenario scenario(Machine machine, String configuration, String pods) {
    return new Scenario(
        "test",
        machine,
        NodeSettings.read("configuration", configuration, List.of()),
        WorkloadReader.read("pods", pods, 1).workload());
  }

  private static String pod(String name, String cpus, String annotations) {
    return """
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: %s, annotations: {%s}}
    spec: {containers: [{name: app, resources: {limits: {cpu: %s, memory: 1Gi}}}]}
    """
        .formatted(name, annotations, cpus);
  }

  private static List<String> lines(Story story) {
    return story.steps().stream()
        .map(step ->
            step.at()
                + " "
                + step.kind().word()
                + " "
                + story.pods().get(step.pod().orElseThrow()).name()
                + step.holding().cpus().values())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "epyc-7702p, 4, none, ''",
    "epyc-7702p, 4, none, prefer-align-cpus-by-uncorecache",
    "epyc-9654-2p-nps2, 8, best-effort, ''",
    "epyc-9654-2p-nps4, 48, best-effort, distribute-cpus-across-numa",
    "xeon-8490h-2p-snc4, 8, restricted, ''",
  })
  void fillingAMachineIsWhatTheEngineDoes(String name, int cpus, String policy, String option) {
    String configuration =
        "systemReserved: {cpu: 2}\ntopologyManagerPolicy: "
            + policy
            + (option.isEmpty() ? "" : "\ncpuManagerPolicyOptions: {" + option + ": \"true\"}");
    Machine machine = Machines.named(name);
    Scenario scenario =
        scenario(
            machine,
            configuration,
            pod("fill", String.valueOf(cpus), "simulate.berth.dev/count: '100'"));
    Node node = Node.start(machine, scenario.settings().configuration());
    List<Map<String, CpuSet>> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      if (node.admit(Pod.guaranteed("p" + i, cpus)) instanceof Decision.Granted granted) {
        expected.add(granted.cpus());
      }
    }
    List<Map<String, CpuSet>> found = new ArrayList<>();
    Figures figures =
        Simulation.of(scenario)
            .run(
                0,
                step -> {
                  if (step.kind() == Step.Kind.ADMITTED) {
                    found.add(step.holding().cpus());
                  }
                });
    assertThat(found).isEqualTo(expected).hasSizeGreaterThan(5);
    assertThat(figures.refusedInAll()).isEqualTo(100 - expected.size());
  }

  @Test
  void whoLeavesMakesRoomForWhoComesAtThatMoment() {
    Scenario scenario =
        scenario(
            SMALL,
            "",
            pod("first", "14", "simulate.berth.dev/stays: 10s")
                + pod("second", "14", "simulate.berth.dev/arrives: 9999ms")
                + pod("third", "14", "simulate.berth.dev/arrives: 10s"));
    Told told = Told.of(scenario, 0);
    assertThat(lines(told.story()))
        .containsExactly(
            "0.0 admitted first[2-15]",
            "9.999 refused second[]",
            "10.0 removed first[]",
            "10.0 admitted third[2-15]");
    assertThat(told.figures().seconds()).isEqualTo(10.0);
  }

  @Test
  void whoWasRefusedNeitherComesAgainNorLeaves() {
    Scenario scenario = scenario(SMALL, "", pod("huge", "99", "simulate.berth.dev/stays: 10s"));
    Told told = Told.of(scenario, 0);
    assertThat(lines(told.story())).containsExactly("0.0 refused huge[]");
    assertThat(told.figures().refused()).isEqualTo(Map.of("UnexpectedAdmissionError", 1));
    assertThat(told.figures().firstRefused().getFirst().why())
        .anyMatch(line -> line.contains("it would not fit on this machine even if it were empty"));
  }

  @Test
  void everyRefusalIsExplainedWhereExplanationsAreAskedForAsFarAsThereIsRoom() {
    Scenario few = scenario(SMALL, "", pod("huge", "99", "simulate.berth.dev/count: '200'"));
    assertThat(Told.of(few, 1).story().steps())
        .hasSize(200)
        .allSatisfy(step -> assertThat(step.why()).isNotEmpty());
    assertThat(Told.of(few, 0).story().steps())
        .filteredOn(step -> !step.why().isEmpty())
        .hasSize(Simulation.FIRST_REFUSALS);

    Scenario many = scenario(SMALL, "", pod("huge", "99", "simulate.berth.dev/count: '40000'"));
    List<Step> explained =
        Told.of(many, 1).story().steps().stream().filter(step -> !step.why().isEmpty()).toList();
    int letters =
        explained.stream().flatMap(step -> step.why().stream()).mapToInt(String::length).sum();
    assertThat(explained).hasSizeLessThan(40_000);
    assertThat(letters)
        .isBetween(Simulation.REFUSAL_LETTERS, Simulation.REFUSAL_LETTERS + (1 << 16));
  }

  @Test
  void meansAreOverTime() {
    // 15 CPUs can be given: 3 are for 10 s of 40 s, and none afterwards.
    Scenario scenario =
        scenario(
            SMALL,
            "",
            pod("short", "3", "simulate.berth.dev/stays: 10s")
                + pod("late", "500m", "simulate.berth.dev/arrives: 40s"));
    Figures figures = Simulation.of(scenario).run(0, step -> {});
    assertThat(figures.use().mean()).isCloseTo(0.05, within(1e-9));
    assertThat(figures.use().most()).isCloseTo(0.2, within(1e-9));
    assertThat(figures.timed()).isTrue();
    assertThat(figures.series()).hasSize(240);
    assertThat(figures.series().getFirst().use()).isEqualTo(0.2);
    assertThat(figures.series().getLast().use()).isEqualTo(0.0);
  }

  @Test
  void whereNoTimePassesEveryStepCountsTheSame() {
    Scenario scenario = scenario(SMALL, "", pod("one", "3", "simulate.berth.dev/count: '2'"));
    Figures figures = Simulation.of(scenario).run(0, step -> {});
    assertThat(figures.timed()).isFalse();
    assertThat(figures.series()).extracting(Figures.Point::at).containsExactly(0.0, 1.0);
    assertThat(figures.use().mean()).isCloseTo(0.3, within(1e-9));
    assertThat(figures.use().most()).isCloseTo(0.4, within(1e-9));
  }

  @Test
  void alignmentIsCountedByWhatWouldFit() {
    Scenario scenario =
        scenario(
            SMALL,
            "topologyManagerPolicy: none",
            pod("a", "2", "") + pod("b", "4", "") + pod("c", "5", ""));
    Figures figures = Simulation.of(scenario).run(0, step -> {});
    assertThat(figures.exclusive()).isEqualTo(3);
    assertThat(figures.alignment()).containsEntry(Boundary.SOCKET, new Aligned(3, 3, 3, 3));
    assertThat(figures.alignment().values()).extracting(Aligned::small).containsExactly(1, 2, 3, 3);
  }

  @Test
  void aCheckpointIsTheStartAndOthersComeOnTop() {
    Node before = Node.start(SMALL, NodeSettings.DEFAULTS.configuration());
    before.admit(Pod.guaranteed("old", 4));
    String checkpoint =
        CpuCheckpoint.of(before.assignments(), before.configuration().gates()).write();
    Workload workload =
        WorkloadReader.read("cpu_manager_state", checkpoint, 1)
            .workload()
            .with(WorkloadReader.read("pods", pod("new", "4", ""), 1).workload());
    Told told = Told.of(new Scenario("test", SMALL, NodeSettings.DEFAULTS, workload), 0);
    assertThat(told.story().start().holding()).isEqualTo(Map.of(0, Holding.of(before, "old")));
    assertThat(told.story().start().shared()).isEqualTo(before.shared());
    CpuSet own = told.story().steps().getFirst().holding().allCpus();
    assertThat(own.size()).isEqualTo(4);
    assertThat(own.intersects(Holding.of(before, "old").allCpus())).isFalse();
    assertThat(told.figures().admitted()).isEqualTo(1);
  }

  @Test
  void theStoryOfACheckpointCanBeReadAgain() {
    Node before = Node.start(SMALL, NodeSettings.DEFAULTS.configuration());
    for (String uid : List.of("lab_db", "0a1b-2c", "Odd.Uid", "_")) {
      before.admit(Pod.guaranteed(uid, 2));
    }
    String checkpoint =
        CpuCheckpoint.of(before.assignments(), before.configuration().gates()).write();
    Workload workload = WorkloadReader.read("state", checkpoint, 1).workload();
    Story story = Told.of(new Scenario("test", SMALL, NodeSettings.DEFAULTS, workload), 0).story();
    assertThat(story.pods())
        .extracting(told -> told.namespace() + "/" + told.name())
        .containsExactlyInAnyOrder("lab/db", "default/0a1b-2c", "default/odd.uid", "default/pod");
    StringWriter text = new StringWriter();
    StoryJson.writer(text, story).close();
    WorkloadReader.Found again = WorkloadReader.read("story", text.toString(), 1);
    assertThat(again.workload().start()).isEqualTo(workload.start());
    assertThat(again.workload().visits()).isEqualTo(workload.visits());
  }

  @Test
  void whoCannotStayUnderOtherRulesIsToldToHaveMoved() {
    Node before = Node.start(SMALL, NodeSettings.DEFAULTS.configuration());
    before.admit(Pod.guaranteed("old", 2));
    String checkpoint =
        CpuCheckpoint.of(before.assignments(), before.configuration().gates()).write();
    CpuSet had = Holding.of(before, "old").allCpus();
    NodeSettings others = NodeSettings.read("c", "reservedSystemCPUs: \"" + had + "\"", List.of());
    Told told =
        Told.of(
            new Scenario(
                "test", SMALL, others, WorkloadReader.read("state", checkpoint, 1).workload()),
            0);
    Step step = told.story().steps().getFirst();
    assertThat(step.kind()).isEqualTo(Step.Kind.MOVED);
    assertThat(step.message()).contains("had " + had).contains("reserved");
    assertThat(told.story().start().holding()).containsEntry(0, step.holding());
    assertThat(told.story().reserved()).isEqualTo(had);
  }

  @Test
  void aStoryGoesOnUnderAnotherConfigurationWithWhoWasRefused() {
    // Under restricted, the second finds no node with 6 CPUs; it would have stayed for 10 s.
    String pods =
        pod("wide", "6", "simulate.berth.dev/count: '3', simulate.berth.dev/stays: 10s")
            + pod("late", "15", "simulate.berth.dev/arrives: 10s");
    Told strict = Told.of(scenario(SMALL, "topologyManagerPolicy: restricted", pods), 0);
    assertThat(strict.figures().refusedInAll()).isEqualTo(1);
    StringWriter text = new StringWriter();
    StoryJson.writer(text, strict.story()).close();
    Workload again = WorkloadReader.read("story", text.toString(), 1).workload();
    assertThat(again.visits()).extracting(Visit::leaves).contains(10_000L).hasSize(4);
    assertThat(again.visits().stream().filter(visit -> visit.leaves() == Visit.NEVER)).hasSize(1);
  }
}
