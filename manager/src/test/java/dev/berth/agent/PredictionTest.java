package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Books.Verdict;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.simulate.Scenario;
import dev.berth.simulate.Simulation;
import dev.berth.simulate.WorkloadReader;
import dev.berth.story.Step;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the simulator predicts of random pods is what an agent answers, word for word. */
class PredictionTest {
  private static final Machine MACHINE = Machines.parse("pack:2 node:1(memory=8GiB) core:5 pu:1");
  private static final Ground GROUND =
      new Ground() {
        @Override
        public Machine machine() {
          return MACHINE;
        }

        @Override
        public String fingerprint() {
          return "same";
        }
      };

  @TempDir private Path folder;

  private static String any(Random random, String... words) {
    return words[random.nextInt(words.length)];
  }

  private static NodeSettings settings(Random random) {
    return NodeSettings.read(
        "random",
        "reservedSystemCPUs: '0'\ncpuManagerPolicyOptions: {strict-cpu-reservation: '%s'}\n"
                .formatted(random.nextBoolean())
            + "topologyManagerPolicy: "
            + any(random, "none", "best-effort", "single-numa-node")
            + "\nberth:\n  allowEmptySharedPool: "
            + (random.nextInt(4) == 0)
            + "\n  devices: [{resource: vendor.example/nic, id: n0, numaNodes: '0'}]\n",
        List.of());
  }

  private static String pods(Random random) {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < 14; i++) {
      String cpus = any(random, "cpu: 1, ", "cpu: 2, ", "cpu: 3, ", "cpu: 4, ", "cpu: 500m, ", "");
      String device = any(random, "", "", "", ", vendor.example/nic: 1", ", vendor.example/gpu: 1");
      String pages = any(random, "", "", "", ", hugepages-2Mi: 4Mi");
      yaml.append(
          """
          ---
          apiVersion: v1
          kind: Pod
          metadata: {name: p%d}
          spec: {containers: [{name: app, command: [x], resources: {limits: {%smemory: %s%s%s}}}]}
          """
              .formatted(i, cpus, any(random, "1Gi", "9Ti"), device, pages));
    }
    return yaml.toString();
  }

  private List<String> answers(NodeSettings settings, String yaml) throws IOException {
    List<String> answers = new ArrayList<>();
    try (Agent agent =
        PretendedAgent.start(folder, GROUND, () -> settings, new ByteArrayOutputStream())) {
      for (RunnablePod pod : RunnablePod.read("pods", yaml)) {
        agent
            .call(() -> agent.embedded().reception().admit(pod, Origin.APPLY, Optional.empty()))
            .thenAccept(verdict -> answers.add(pod.manifest().name() + ": " + words(verdict)))
            .join();
      }
    }
    return answers;
  }

  private static String words(Verdict verdict) {
    return switch (verdict) {
      case Verdict.In _ -> "admitted";
      case Verdict.Out out -> out.reason() + ": " + out.message();
    };
  }

  private static List<String> predictions(NodeSettings settings, String yaml) {
    List<String> predictions = new ArrayList<>();
    Scenario scenario =
        new Scenario("test", MACHINE, settings, WorkloadReader.read("pods", yaml, 1).workload());
    Simulation simulation = Simulation.of(scenario);
    simulation.run(
        0,
        step ->
            predictions.add(
                scenario.workload().visitors().get(step.pod().orElseThrow()).told().name()
                    + ": "
                    + (step.kind() == Step.Kind.ADMITTED
                        ? "admitted"
                        : step.reason() + ": " + step.message())));
    return predictions;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void theSimulatorAnswersAsTheAgentDoes(long seed) throws IOException {
    Random random = new Random(seed);
    NodeSettings settings = settings(random);
    String yaml = pods(random);
    List<String> answers = answers(settings, yaml);
    assertThat(answers).hasSize(14);
    assertThat(predictions(settings, yaml)).as("seed %d", seed).isEqualTo(answers);
  }
}
