package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.state.StateFolder;
import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Node;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods of whom nothing can be read but what they have, and pods that are called alike. */
class UnknownHolderTest {
  private static final Machine MACHINE = Machines.parse("pack:1 core:4 pu:1");

  @TempDir private Path folder;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private Agent agent;

  /** An agent whose state was written by one that described pods in another way. */
  @BeforeEach
  void start() throws IOException {
    try (StateFolder state = StateFolder.open(folder.resolve("state"))) {
      Node node = Node.start(MACHINE, NodeSettings.DEFAULTS.configuration());
      state.settled("an earlier boot", node, Map.of());
      Pod pod = Pod.guaranteed("u-1", 2);
      node.admit(pod);
      state.admitted(pod, "{\"origin\":\"apply\",\"pod\":\"in a later version's words\"}", node);
    }
    restart();
  }

  @AfterEach
  void stop() throws IOException {
    agent.close();
  }

  private void restart() throws IOException {
    if (agent != null) {
      agent.close();
    }
    agent = PretendedAgent.start(folder, Ground.fixed(MACHINE), () -> NodeSettings.DEFAULTS, log);
  }

  private Verdict apply(String metadata, int cpus) {
    String yaml =
        """
        apiVersion: v1
        kind: Pod
        metadata: {%s}
        spec:
          containers:
          - {name: app, command: [x], resources: {limits: {cpu: %d, memory: 1Mi}}}
        """
            .formatted(metadata, cpus);
    RunnablePod pod = RunnablePod.read("p.yaml", yaml).getFirst();
    return agent.call(
        () -> agent.embedded().reception().admit(pod, Origin.APPLY, Optional.empty()).join());
  }

  private Map<String, CpuSet> unknown() {
    return agent.call(() ->
        agent.unknownHolders().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().allCpus())));
  }

  private boolean remove(String name) {
    return agent.call(() -> agent.remove(name)).map(CompletableFuture::join).orElse(false);
  }

  @Test
  void oneThatCannotBeReadIsListedAndKeepsItsCpusOverRestarts() throws IOException {
    assertThat(log.toString(StandardCharsets.UTF_8)).contains("state of pod u-1: expected");
    assertThat(unknown()).isEqualTo(Map.of("u-1", CpuSet.of(1, 2)));
    assertThat(apply("name: late", 2)).isInstanceOf(Verdict.Out.class);
    restart();
    assertThat(unknown()).isEqualTo(Map.of("u-1", CpuSet.of(1, 2)));
    assertThat(agent.call(() -> StatusJson.of(agent).path("unknownHolders").toString()))
        .isEqualTo("[{\"uid\":\"u-1\",\"cpus\":\"1-2\"}]");
  }

  @Test
  void itIsRemovedByItsUidAndItsCpusAreFreeForGood() throws IOException {
    assertThat(remove("u-2")).isFalse();
    assertThat(remove("u-1")).isTrue();
    assertThat(unknown()).isEmpty();
    assertThat(apply("name: late", 3)).isInstanceOf(Verdict.In.class);
    restart();
    assertThat(unknown()).isEmpty();
    assertThat(agent.call(() -> agent.node().cpusOf("default_late", "app")))
        .hasValue(CpuSet.of(1, 2, 3));
  }

  @Test
  void aPodWhoseNameIsItsUidNeitherHidesItNorIsTakenForIt() {
    assertThat(apply("name: u-1", 1)).isInstanceOf(Verdict.In.class);
    assertThat(unknown()).containsOnlyKeys("u-1");
    assertThat(remove("u-1")).isTrue();
    assertThat(unknown()).isEmpty();
    assertThat(agent.call(() -> agent.household().residents().find("u-1")).map(Resident::uid))
        .hasValue("default_u-1");
  }

  @Test
  void aUidGoesBeforeANameWhoeverCameFirst() {
    remove("u-1");
    apply("name: b, uid: one", 1);
    apply("name: one, uid: a", 1);
    apply("name: a, uid: other", 1);
    for (String uid : new String[] {"one", "a", "other"}) {
      assertThat(agent.call(() -> agent.household().residents().find(uid)).map(Resident::uid))
          .hasValue(uid);
    }
    assertThat(agent.call(() -> agent.household().residents().find("b")).map(Resident::uid))
        .hasValue("one");
    assertThat(agent.call(() -> agent.household().residents().find("default/a")).map(Resident::uid))
        .hasValue("other");
  }
}
