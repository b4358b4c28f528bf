package dev.berth.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.replay.Scenario.CaseStep;
import dev.berth.testing.SharedData;
import dev.berth.topology.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Kubernetes 1.36.3 answered, case by case, CPU for CPU and byte for byte. */
@Tag("slow")
class ConformanceTest {
  private static CaseFile cases(String name) {
    return new CaseFile(SharedData.path("conformance/" + name + ".jsonl.gz").toString());
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 1199, ''",
    "memory, 300, ''",
    "devices, 508, scenario-401-213",
    "pod-level, 380, ''",
    "merge, 3000, ''",
    "hangs, 1, ''"
  })
  void everyCaseAgreesOrDeviatesOnPurpose(String file, int count, String deviating) {
    Tally tally = new Tally();
    cases(file).forEachCase(tally::add);
    assertThat(tally.differing()).isEmpty();
    assertThat(tally.deviating().stream().map(Tally.Deviating::id).toList())
        .isEqualTo(deviating.isEmpty() ? List.of() : List.of(deviating));
    assertThat(tally.cases()).isEqualTo(count);
  }

  @ParameterizedTest
  @CsvSource({"cpu, 1036", "pod-level, 326"})
  void recordedCheckpointsAreRewrittenByteForByte(String file, int count) {
    int[] seen = {0};
    cases(file)
        .forEach(scenario -> {
          String text = scenario.recorded().path("expect").path("checkpoint").asString("");
          if (!text.isEmpty()) {
            assertThat(CpuCheckpoint.read(scenario.id(), text).write()).isEqualTo(text);
            seen[0]++;
          }
        });
    assertThat(seen[0]).isEqualTo(count);
  }

  /** Through the text of a checkpoint each time, so that it holds all that counts. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu", "memory", "devices", "pod-level"})
  void restartingAfterEveryStepChangesNothing(String file) {
    cases(file)
        .forEach(scenario -> {
          Answer once = Replayer.run(scenario);
          Answer often = Replayer.run(restarting(scenario));
          assertThat(often.steps().stream().flatMap(step -> step.broken().stream()))
              .as(scenario.id())
              .isEmpty();
          for (int i = 0; i < once.steps().size(); i++) {
            Answer.StepAnswer expected = once.steps().get(i);
            Answer.StepAnswer found = often.steps().get(2 * i);
            String where = scenario.id() + ", step " + i;
            assertThat(found.verdict()).as(where).isEqualTo(expected.verdict());
            assertThat(found.shared()).as(where).isEqualTo(expected.shared());
          }
          assertThat(often.checkpoint()).as(scenario.id()).isEqualTo(once.checkpoint());
          assertThat(often.memoryCheckpoint()).as(scenario.id()).isEqualTo(once.memoryCheckpoint());
        });
  }

  private static Scenario restarting(Scenario scenario) {
    List<CaseStep> steps = new ArrayList<>();
    for (CaseStep step : scenario.steps()) {
      steps.add(step);
      steps.add(new CaseStep.Restart());
    }
    return new Scenario(
        scenario.id(), scenario.machine(), scenario.configuration(), steps, scenario.recorded());
  }

  /**
   * 230 of 256 CPUs over eight nodes, in whole cores: Kubernetes' walk over all sets of nodes did
   * not end in 100 s.
   */
  @Test
  void whatHangsKubernetesIsAnswered() {
    cases("hangs")
        .forEach(scenario -> {
          CaseStep.Admit admit = (CaseStep.Admit) scenario.steps().getFirst();
          Node node = Node.start(scenario.machine(), scenario.configuration());
          Decision decision =
              Assertions.assertTimeoutPreemptively(
                  Duration.ofSeconds(20), () -> node.admit(admit.pod()));
          assertThat(decision)
              .isInstanceOfSatisfying(
                  Decision.Granted.class,
                  granted -> {
                    CpuSet cpus = granted.cpus().get("c");
                    assertThat(cpus).isNotNull();
                    assertThat(cpus.size()).isEqualTo(230);
                    assertThat(sharesOf(scenario.machine(), cpus)).allMatch(share -> share >= 28);
                  });
        });
  }

  private static List<Integer> sharesOf(Machine machine, CpuSet cpus) {
    return machine.nodes().stream().map(node -> node.cpus().sharedWith(cpus)).toList();
  }
}
