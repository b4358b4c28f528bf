package dev.berth.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.story.Step;
import dev.berth.story.Story;
import dev.berth.story.StoryJson;
import dev.berth.workload.Pod;
import java.io.StringWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every workload, machine and configuration; the parameter is the seed. */
class SimulationPropertyTest {
  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theRulesHoldAfterEveryStepAndTheStoryTellsWhatStands(long seed) {
    Scenario scenario = RandomScenario.make(seed);
    Simulation simulation = Simulation.of(scenario);
    Node node = simulation.node();
    Map<Integer, Holding> told = new TreeMap<>(simulation.opening().start().holding());
    Map<Integer, Pod> running = new TreeMap<>();
    CpuSet[] pool = {simulation.opening().start().shared()};
    simulation.run(
        0,
        step -> {
          int pod = step.pod().orElseThrow();
          switch (step.kind()) {
            case ADMITTED -> {
              running.put(pod, scenario.workload().visitors().get(pod).pod());
              if (!step.holding().isEmpty()) {
                told.put(pod, step.holding());
              }
            }
            case REMOVED -> {
              running.remove(pod);
              told.remove(pod);
            }
            case REFUSED -> {}
            case MOVED, DISPLACED, NOTE -> throw new AssertionError("nobody was there before");
          }
          pool[0] = step.shared().orElse(pool[0]);
          assertThat(pool[0]).as("shared pool at %s", step).isEqualTo(node.shared());
          node.rules()
              .ifPresent(rules ->
                  assertThat(rules.broken(node.assignments(), running.values())).isEmpty());
          assertThat(byUid(scenario, told)).isEqualTo(Holding.all(node));
        });
  }

  private static Map<String, Holding> byUid(Scenario scenario, Map<Integer, Holding> told) {
    Map<String, Holding> byUid = new TreeMap<>();
    told.forEach(
        (pod, holding) -> byUid.put(scenario.workload().visitors().get(pod).pod().uid(), holding));
    return byUid;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aStoryThatIsReadAndRunAgainIsTheSameStory(long seed) {
    Scenario scenario = RandomScenario.make(seed);
    Told first = Told.of(scenario, 20);
    String text = text(first.story());
    assertThat(text(StoryJson.read("story", text))).isEqualTo(text);

    WorkloadReader.Found found = WorkloadReader.read("story", text, 0);
    Scenario again =
        new Scenario(
            scenario.title(),
            found.machine().orElseThrow(),
            found.settings().orElseThrow(),
            found.workload());
    Told second = Told.of(again, 20);
    assertThat(text(second.story())).isEqualTo(text);
    assertThat(second.figures()).isEqualTo(first.figures());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theFiguresCountTheSteps(long seed) {
    Told told = Told.of(RandomScenario.make(seed), 0);
    Figures figures = told.figures();
    assertThat(figures.admitted()).isEqualTo(count(told.story(), Step.Kind.ADMITTED));
    assertThat(figures.refusedInAll()).isEqualTo(count(told.story(), Step.Kind.REFUSED));
    assertThat(figures.came()).isEqualTo(told.story().pods().size());
    assertThat(figures.compact()).isBetween(0, figures.exclusive());
    figures
        .alignment()
        .values()
        .forEach(aligned -> {
          assertThat(aligned.within()).isLessThanOrEqualTo(aligned.small());
          assertThat(aligned.within()).isLessThanOrEqualTo(aligned.fewest());
          assertThat(aligned.fewest()).isLessThanOrEqualTo(aligned.containers());
        });
    assertThat(figures.use().mean()).isBetween(0.0, figures.use().most());
    assertThat(figures.nodeFragmentation().most()).isBetween(0.0, 1.0);
    assertThat(figures.series()).hasSizeLessThanOrEqualTo(240).isNotEmpty();
  }

  private static long count(Story story, Step.Kind kind) {
    return story.steps().stream().filter(step -> step.kind() == kind).count();
  }

  private static String text(Story story) {
    StringWriter text = new StringWriter();
    StoryJson.writer(text, story).close();
    return text.toString();
  }
}
