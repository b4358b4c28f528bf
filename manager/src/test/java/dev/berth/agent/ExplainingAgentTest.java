package dev.berth.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.HttpReply;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What an agent answers to why, word for word, on a machine of two NUMA nodes with 8 CPUs each. */
class ExplainingAgentTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SETTINGS =
      "reservedSystemCPUs: '0'\ntopologyManagerPolicy: single-numa-node\n";

  @TempDir private Path folder;
  private Agent agent;
  private Desk desk;

  @BeforeEach
  void start() throws IOException {
    agent =
        PretendedAgent.start(
            folder,
            new Ground() {
              @Override
              public Machine machine() {
                return Machines.parse("pack:2 node:1 core:8 pu:1");
              }

              @Override
              public String fingerprint() {
                return "same";
              }
            },
            () -> NodeSettings.read("berth.yaml", SETTINGS, List.of()),
            new ByteArrayOutputStream());
    desk = new Desk(agent, "socket");
  }

  @AfterEach
  void stop() throws IOException {
    desk.close();
    agent.close();
  }

  private void restart() throws IOException {
    stop();
    start();
  }

  private static String pod(String name, int cpus) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec: {containers: [{name: app, command: [x], resources: {limits: {cpu: %d, memory: 1Mi}}}]}
    """
        .formatted(name, cpus);
  }

  private void apply(String name, int cpus) {
    RunnablePod pod = RunnablePod.read("p.yaml", pod(name, cpus)).getFirst();
    agent.call(
        () -> agent.embedded().reception().admit(pod, Origin.APPLY, Optional.empty()).join());
  }

  private void remove(String name) {
    agent.call(() -> agent.remove(name));
    RealAgent.await(
        name + " to be gone",
        () -> agent.call(() -> agent.household().residents().find(name)).isEmpty());
  }

  /** Four free on each node. */
  private void inPieces() {
    apply("a", 3);
    apply("b", 4);
    apply("c", 4);
    apply("d", 4);
    remove("b");
    remove("d");
  }

  private JsonNode explained(String name) {
    return json(desk.explain(name));
  }

  private JsonNode tried(String yaml) {
    return json(desk.wouldBe("try.yaml", yaml));
  }

  private static JsonNode json(HttpReply reply) {
    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    return MAPPER.readTree(((HttpReply.Whole) reply).body());
  }

  private static String text(JsonNode json) {
    return json.path("text").values().stream()
        .map(JsonNode::asString)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  @Test
  void aRefusedPodSaysWhatToMoveAndHowCloseItWas() {
    inPieces();
    apply("big", 6);
    assertThat(text(explained("big")))
        .isEqualTo(
            """
            big was refused: all that app asks for has to be on one NUMA node, and no node has it free
              in Kubernetes' words: TopologyAffinityError: Resources cannot be allocated with Topology locality
              what would help is said as things are now

            What would help:
              fits if 1 pod moves; nobody has to stop, one step after the other:
                move a from CPUs 1-3 to 12-14
                let big in: CPUs 1-6
                or by hand, with the same end: remove a, apply big a
              fits if pod a or c leaves
              fits with topology policy best-effort
              fits with 4 CPUs instead of 6

            How close it was:
              NUMA node 0 has 4 of the 6 CPUs free that app asks for; held there: a 3; reserved 1
              NUMA node 1 has 4 of the 6 CPUs free that app asks for; held there: c 4

            How it was decided:
              container app: where its resources meet
                cpu: needs at least 2 nodes, more nodes than an empty machine would need
                any NUMA node, not the best for every resource: the policy refuses that
              refused: TopologyAffinityError: Resources cannot be allocated with Topology locality
                assignable 8 (4-7,12-15), reserved 1 (0)
                pod c holds 4: 8-11
                pod a holds 3: 1-3
                assignable by NUMA node: 4 of 8 on 0, 4 of 8 on 1
                assignable by L3 cache: 4 of 8 on 0, 4 of 8 on 1

            A NUMA node is a group of CPUs with memory close to them; CPUs below one L3 cache share it.
            """);
  }

  @Test
  void carryingOutThePlanByHandEndsAsItSays() {
    inPieces();
    apply("big", 6);
    JsonNode plan = explained("big").path("plan");
    remove("a");
    apply("big", 6);
    apply("a", 3);
    assertThat(plan.path("cpus").asString()).isEqualTo(cpus("big"));
    assertThat(plan.path("moves").path(0).path("to").asString()).isEqualTo(cpus("a"));
  }

  private String cpus(String pod) {
    return explained(pod).path("cpus").path("app").asString();
  }

  @Test
  void aTriedPodChangesNothing() {
    inPieces();
    String before = agent.call(() -> agent.node().assignments().toString());
    JsonNode refused = tried(pod("new", 6));
    assertThat(refused.path("decision").asString()).isEqualTo("refused");
    assertThat(refused.path("plan").path("outcome").asString()).isEqualTo("plan");
    assertThat(refused.path("plan").path("live").asBoolean()).isTrue();
    assertThat(refused.path("nearMisses").path(0).path("holders").path("a").asInt()).isEqualTo(3);
    assertThat(refused.path("offers").path(0).path("resource").asString()).isEqualTo("cpu");
    assertThat(refused.path("changes").values().stream().map(c -> c.path("kind").asString()))
        .containsExactly("leave", "policy", "size");
    JsonNode fits = tried(pod("c", 2));
    assertThat(fits.path("decision").asString()).isEqualTo("granted");
    assertThat(fits.path("cpus").path("app").asString()).isEqualTo("4-5");
    assertThat(agent.call(() -> agent.node().assignments().toString())).isEqualTo(before);
    assertThat(agent.events().after(0).stream().filter(e -> e.pod().equals("new"))).isEmpty();
  }

  @Test
  void aPodThatNeverFitsSaysWhichBoundItBreaks() {
    inPieces();
    assertThat(text(tried(pod("new", 9))))
        .startsWith(
            """
            new would be refused: topology policy single-numa-node wants the 9 CPUs of app within one NUMA node, and the largest has 8 to give when it is empty
              in Kubernetes' words: TopologyAffinityError: Resources cannot be allocated with Topology locality

            What would help:
              fits with 4 CPUs instead of 9
            """);
  }

  @Test
  void oneWhoCameBeforeARestartIsToldFromWhereItSits() throws IOException {
    inPieces();
    apply("big", 6);
    restart();
    assertThat(text(explained("a")))
        .isEqualTo(
            """
            a has CPUs 1-3 to itself
              it was let in before this agent started, and the steps were not kept: this is what can be told from where it sits now
              no better place is free now

            Where it sits:
              app: CPUs 1-3, nobody else's; all on NUMA node 0, L3 cache 0 and socket 0

            A NUMA node is a group of CPUs with memory close to them; CPUs below one L3 cache share it.
            """);
    assertThat(text(explained("big")))
        .startsWith("big was refused: all that app asks for has to be on one NUMA node")
        .contains("how it was decided then was not kept: all that follows is as things are now")
        .contains("move a from CPUs 1-3 to 12-14");
  }

  @Test
  void oneWhoIsGoneIsRemembered() {
    inPieces();
    apply("big", 6);
    remove("big");
    assertThat(text(explained("b")))
        .startsWith("b was here and is not any more: removed\n")
        .contains("took 7 of core 7; that is all");
    assertThat(text(explained("big"))).startsWith("big was refused: ").contains("move a from CPUs");
    remove("c");
    assertThat(text(explained("big"))).contains("  it would fit now: CPUs 8-13\n");
    assertThat(desk.explain("nobody").status()).isEqualTo(404);
  }

  @Test
  void theLatestWhoAreGoneAreRememberedAndNoMore() {
    for (int i = 0; i < Departed.MOST + 5; i++) {
      apply("pod-" + i, 1);
      remove("pod-" + i);
    }
    assertThat(desk.explain("pod-4").status()).isEqualTo(404);
    assertThat(text(explained("pod-5"))).contains("how it was let in was not kept");
    assertThat(text(explained("pod-" + (Departed.MOST + 4)))).contains("that is all");
  }

  @Test
  void whatOnlyTheAgentRefusesIsSaidToo() {
    apply("a", 7);
    String yaml = pod("plugged", 1).replace("memory: 1Mi", "memory: 1Mi, vendor.example/nic: 1");
    assertThat(text(tried(yaml)))
        .startsWith(
            "plugged would be refused: UnexpectedAdmissionError: device plugin of"
                + " vendor.example/nic: expected one that is connected, found none\n");
  }

  @Test
  void answersWithOneLineWhatIsNotAPod() {
    assertThat(desk.wouldBe("try.yaml", "kind: Pot").toString())
        .contains("400")
        .contains("try.yaml:1: kind: expected apiVersion v1 beside it, found none");
    assertThat(desk.wouldBe("try.yaml", pod("a", 1) + "---\n" + pod("b", 1)).toString())
        .contains("400")
        .contains("try.yaml: expected one pod, found 2");
    assertThat(desk.wouldBe("try.yaml", "#".repeat(200_000)).status()).isEqualTo(413);
  }

  @Test
  void turnsAwayWhomItCannotAnswerSoon() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    Future<?> held =
        CompletableFuture.runAsync(() ->
            agent.call(() -> {
              began.countDown();
              return busy.await(30, SECONDS);
            }));
    assertThat(began.await(30, SECONDS)).isTrue();
    List<CompletableFuture<Integer>> asked = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      asked.add(
          CompletableFuture.supplyAsync(
              () -> desk.wouldBe("try.yaml", pod("new", 1)).status(),
              task -> Thread.ofVirtual().start(task)));
    }
    RealAgent.await(
        "some to be turned away",
        () -> asked.stream().filter(CompletableFuture::isDone).count() == 3);
    busy.countDown();
    held.get();
    assertThat(asked.stream().map(CompletableFuture::join).sorted())
        .containsExactly(200, 200, 200, 200, 200, 503, 503, 503);
  }
}
