package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.HintProviderFactory;
import dev.berth.ledger.HintProviders;
import dev.berth.ledger.Holding;
import dev.berth.testing.ProviderJar;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent with a provider from a jar: what pods have of it outlives the agent. */
class ProvidedAgentTest {
  private final Machine machine = Machines.parse("pack:1 node:2 l3:1 core:4 pu:1");
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  @TempDir Path folder;
  private URLClassLoader loader;
  private Agent agent;

  @BeforeEach
  void start() throws IOException {
    URL jar = ProviderJar.in(folder.resolve("providers")).toUri().toURL();
    loader = new URLClassLoader(new URL[] {jar}, HintProviders.class.getClassLoader());
    agent = started(HintProviders.factories(loader));
  }

  @AfterEach
  void stop() throws IOException {
    agent.close();
    loader.close();
  }

  private Agent started(List<HintProviderFactory> factories) throws IOException {
    return PretendedAgent.start(
        folder, Ground.fixed(machine).with(factories), () -> NodeSettings.DEFAULTS, log);
  }

  private String apply(String name, int regions) {
    String yaml =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          containers:
          - name: c
            command: [x]
            resources: {limits: {cpu: 1, memory: 1Mi, example.com/fpga-region: %d}}
        """
            .formatted(name, regions);
    RunnablePod pod = RunnablePod.read("p.yaml", yaml).getFirst();
    return switch (agent.call(
        () -> agent.embedded().reception().admit(pod, Origin.APPLY, Optional.empty()).join())) {
      case Books.Verdict.In _ -> "in";
      case Books.Verdict.Out out -> out.message();
    };
  }

  private Map<String, String> has(String pod) {
    return agent.call(() -> Holding.of(agent.node(), "default_" + pod)).others();
  }

  @Test
  void whatPodsHaveOfItOutlivesTheAgent() throws IOException {
    assertThat(apply("a", 3)).isEqualTo("in");
    assertThat(apply("b", 4)).isEqualTo("in");
    assertThat(has("a")).isEqualTo(Map.of("FpgaRegions", "0:3"));
    assertThat(apply("c", 2)).contains("FPGA regions missing: 1");
    agent.close();
    agent = started(HintProviders.factories(loader));
    assertThat(has("a")).isEqualTo(Map.of("FpgaRegions", "0:3"));
    assertThat(has("b")).isEqualTo(Map.of("FpgaRegions", "1:4"));
    assertThat(apply("d", 2)).contains("FPGA regions missing: 1");
    assertThat(apply("e", 1)).isEqualTo("in");
    assertThat(has("e")).isEqualTo(Map.of("FpgaRegions", "0:1"));
  }

  @Test
  void whatIsAskedOfACopyIsAnsweredWithIt() {
    assertThat(apply("a", 3)).isEqualTo("in");
    assertThat(agent.call(() -> agent.node().copy().hasExternalProviders())).isFalse();
    assertThat(agent.call(() -> Holding.of(agent.node().copy(), "default_a")).others())
        .isEqualTo(Map.of("FpgaRegions", "0:3"));
    assertThat(agent.call(() -> agent.embedded().reception().couldEverFit(pod(9)))).isFalse();
    assertThat(agent.call(() -> agent.embedded().reception().couldEverFit(pod(8)))).isTrue();
  }

  private static RunnablePod pod(int regions) {
    return RunnablePod.read(
            "p.yaml",
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec: {containers: [{name: c, command: [x], resources: {limits: {cpu: 1, memory: 1Mi, example.com/fpga-region: %d}}}]}
            """
                .formatted(regions))
        .getFirst();
  }

  @Test
  void withoutTheProviderAPodGoesOnAndLosesOnlyThat() throws IOException {
    assertThat(apply("a", 3)).isEqualTo("in");
    agent.close();
    agent = started(List.of());
    assertThat(has("a")).isEmpty();
    assertThat(agent.call(() -> agent.node().cpusOf("default_a", "c"))).isPresent();
    assertThat(agent.events().after(0))
        .anyMatch(event -> event.message().contains("provider FpgaRegions is not there any more"));
    assertThat(log.toString(StandardCharsets.UTF_8)).isNotEmpty();
  }
}
