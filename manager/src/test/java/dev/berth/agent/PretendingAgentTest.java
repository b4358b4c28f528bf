package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.Books.Verdict;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpReply;
import dev.berth.http.HttpRequest;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.linux.ProcessId;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that an agent decides, on machines that are not there. */
class PretendingAgentTest {
  private static final String STRICT =
      "reservedSystemCPUs: 0-1\ncpuManagerPolicyOptions: {strict-cpu-reservation: 'true'}\n";

  @TempDir private Path folder;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private volatile String settings = "";
  private volatile Machine machine = Machines.parse("pack:1 core:4 pu:2");
  private Agent agent;

  @BeforeEach
  void start() throws IOException {
    agent = started();
  }

  @AfterEach
  void stop() throws IOException {
    assertThat(StoryFold.now(agent))
        .as("story")
        .isEqualTo(agent.call(() -> StoryFold.of(agent.node())));
    agent.close();
  }

  private Agent started() throws IOException {
    return PretendedAgent.start(
        folder,
        new Ground() {
          @Override
          public Machine machine() {
            return machine;
          }

          @Override
          public String fingerprint() {
            return machine.cpus().toString();
          }
        },
        () ->
            NodeSettings.read(
                "berth.yaml", "cpuManagerReconcilePeriod: 20ms\n" + settings, List.of()),
        log);
  }

  private void restart() throws IOException {
    agent.close();
    agent = started();
  }

  private static String pod(String name, String resources) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec: {containers: [{name: c, command: [x], resources: %s}]}
    """
        .formatted(name, resources);
  }

  private static String alone(String name, int cpus) {
    return pod(name, "{limits: {cpu: " + cpus + ", memory: 1Mi}}");
  }

  private static RunnablePod read(String yaml) {
    return RunnablePod.read("p.yaml", yaml).getFirst();
  }

  private String apply(String yaml) {
    return switch (agent.call(
        () ->
            agent
                .embedded()
                .reception()
                .admit(read(yaml), Origin.APPLY, Optional.empty())
                .join())) {
      case Verdict.In _ -> "in";
      case Verdict.Out out -> out.reason() + ": " + out.message();
    };
  }

  private CpuSet cpus(String pod) {
    return agent.call(() -> agent.node().cpusOf("default_" + pod, "c")).orElse(CpuSet.EMPTY);
  }

  private void remove(String pod) {
    agent.call(() -> agent.remove(pod));
    RealAgent.await(
        pod + " to be gone",
        () -> agent.call(() -> agent.household().residents().find(pod)).isEmpty());
  }

  private void awaitEvent(String kind, String words) {
    RealAgent.await(
        kind + ": " + words,
        () ->
            agent.events().after(0).stream()
                .anyMatch(e -> e.kind().equals(kind) && e.message().contains(words)));
  }

  @Test
  void theLastSharedCpuIsNotGivenAwayWhileAContainerRunsOnIt() throws IOException {
    settings = STRICT;
    restart();
    assertThat(apply(pod("shares", "{}"))).isEqualTo("in");
    assertThat(apply(alone("all", 6)))
        .isEqualTo(
            "EmptySharedPool: it would take the last CPU of the shared pool, on which containers"
                + " run (berth.allowEmptySharedPool permits that, unless CPUs are isolated)");
    assertThat(cpus("all").isEmpty()).isTrue();
    assertThat(apply(alone("most", 4))).isEqualTo("in");
    remove("shares");
    assertThat(apply(alone("rest", 2))).isEqualTo("in");
    assertThat(apply(pod("late", "{}")))
        .isEqualTo(
            "EmptySharedPool: the shared pool is empty, so there is no CPU for it to run on");
    restart();
    assertThat(cpus("rest").size()).as("a restart works").isEqualTo(2);
  }

  @Test
  void theLastSharedCpuIsGivenAwayWhereThatIsPermitted() throws IOException {
    settings = STRICT + "berth: {allowEmptySharedPool: true}\n";
    restart();
    assertThat(apply(pod("shares", "{}"))).isEqualTo("in");
    assertThat(apply(alone("all", 6))).isEqualTo("in");
    assertThat(agent.call(() -> agent.household().seating().common())).hasToString("0-1");
  }

  @Test
  void aNameIsFreeAgainOnceItsPodIsOver() {
    assertThat(apply(alone("big", 99))).startsWith("UnexpectedAdmissionError");
    assertThat(apply(alone("big", 2))).isEqualTo("in");
    assertThat(apply(alone("big", 1)))
        .isEqualTo("NameInUse: pod big runs already; berth rm big ends it");
    assertThat(cpus("big").size()).as("nothing has changed").isEqualTo(2);
  }

  @Test
  void onlySoManyPodsThatAreOverAreKept() {
    for (int i = 0; i < Keeper.MOST_OVER + 3; i++) {
      assertThat(apply(alone("big" + i, 99))).startsWith("UnexpectedAdmissionError");
    }
    List<String> kept =
        agent.call(() -> agent.embedded().residents().all().stream().map(Tenant::title).toList());
    assertThat(kept)
        .hasSize(Keeper.MOST_OVER)
        .startsWith("big3")
        .endsWith("big" + (Keeper.MOST_OVER + 2));
  }

  @Test
  void cpusThatGoAndComeBackAreFollowed() {
    assertThat(apply(alone("first", 2))).isEqualTo("in");
    assertThat(apply(alone("second", 2))).isEqualTo("in");
    CpuSet first = cpus("first");
    CpuSet lost = CpuSet.of(cpus("second").first());
    Machine whole = machine;
    machine = without(whole, lost);
    awaitEvent("moved", "CPU " + lost + " is offline");
    assertThat(cpus("first")).as("who is not concerned stays").isEqualTo(first);
    assertThat(cpus("second").intersects(lost)).isFalse();
    assertThat(cpus("second").size()).isEqualTo(2);
    machine = whole;
    RealAgent.await(
        "the CPU to be back", () -> agent.call(() -> agent.node().machine().cpus()).size() == 8);
    assertThat(agent.call(() -> agent.node().shared()).isSubsetOf(whole.cpus())).isTrue();
  }

  @Test
  void aReservedCpuThatGoesIsMissedAsLongAsAnotherIsThere() {
    settings = "reservedSystemCPUs: 0-1\n";
    agent.reload();
    assertThat(apply(alone("stays", 2))).isEqualTo("in");
    CpuSet stays = cpus("stays");
    Machine whole = machine;
    machine = without(whole, CpuSet.of(1));
    RealAgent.await(
        "one to be missed", () -> agent.call(() -> agent.node().reserved()).equals(CpuSet.of(0)));
    assertThat(cpus("stays")).isEqualTo(stays);
    machine = without(whole, CpuSet.of(0, 1));
    awaitEvent("failed", "everybody stays as they are until then");
    assertThat(cpus("stays")).isEqualTo(stays);
    machine = whole;
    RealAgent.await(
        "both to be back", () -> agent.call(() -> agent.node().reserved()).equals(CpuSet.of(0, 1)));
  }

  private static Machine without(Machine whole, CpuSet lost) {
    var builder = Machine.builder(whole.name()).offline(lost);
    whole.cpuList().stream()
        .filter(cpu -> !lost.contains(cpu.id()))
        .forEach(c -> builder.cpu(c.id(), c.core(), c.socket(), c.node(), c.cache()));
    return builder.build();
  }

  @Test
  void otherSettingsAreTakenUpWithoutARestart() {
    assertThat(apply(alone("stays", 2))).isEqualTo("in");
    assertThat(apply(alone("moves", 4))).isEqualTo("in");
    CpuSet stays = cpus("stays");
    settings = "reservedSystemCPUs: " + cpus("moves").first() + "\n";
    agent.reload();
    assertThat(cpus("stays")).isEqualTo(stays);
    assertThat(agent.call(() -> agent.node().reserved()).intersects(cpus("moves"))).isFalse();
    settings = "cpuManagerPolicy: nonsense\n";
    assertThatThrownBy(() -> agent.reload())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("cpuManagerPolicy");
    assertThat(cpus("stays")).isEqualTo(stays);
    settings = STRICT + "berth: {partition: isolated}\n";
    assertThatThrownBy(() -> agent.reload()).hasMessageContaining("that takes a restart");
  }

  @Test
  void anotherPolicyAndBackKeepsWhoIsThere() throws IOException {
    assertThat(apply(alone("db", 2))).isEqualTo("in");
    settings = "cpuManagerPolicy: none\n";
    restart();
    assertThat(agent.call(() -> agent.household().residents().find("db"))).isPresent();
    assertThat(cpus("db").isEmpty()).isTrue();
    settings = "";
    restart();
    assertThat(cpus("db").size()).isEqualTo(2);
  }

  @Test
  void holdersOfAKubeletsCheckpointKeepTheirCpusUntilTheyAreRemoved() throws IOException {
    agent.close();
    Files.delete(folder.resolve("state/berth_state"));
    Files.writeString(
        folder.resolve("state/cpu_manager_state"),
        dev.berth.kubelet.CpuCheckpoint.of(
                dev.berth.ledger.Assignments.of(
                    dev.berth.ledger.CpuPolicy.STATIC,
                    CpuSet.parse("0,2,4-7"),
                    Map.of("foreign", Map.of("c", CpuSet.parse("1,3")))),
                dev.berth.allocation.FeatureGates.DEFAULTS)
            .write());
    agent = started();
    assertThat(agent.call(() -> agent.node().exclusive())).hasToString("1,3");
    assertThat(agent.call(() -> StatusJson.of(agent)).path("unknownHolders").toString())
        .isEqualTo("[{\"uid\":\"foreign\",\"cpus\":\"1,3\"}]");
    assertThat(apply(alone("big", 6))).startsWith("UnexpectedAdmissionError");
    assertThat(agent.call(() -> agent.remove("foreign")).orElseThrow()).isCompleted();
    assertThat(apply(alone("big", 6))).isEqualTo("in");
  }

  @Test
  void oneWhoWaitsIsLetInAsSoonAsThereIsRoom() throws Exception {
    assertThat(apply(alone("holds", 6))).isEqualTo("in");
    ProcessId self = ProcessId.of(ProcessHandle.current().pid()).orElseThrow();
    CompletableFuture<Verdict> waits =
        agent.call(() -> agent.embedded().admit(read(alone("waits", 4)), self, 60_000));
    CompletableFuture<Verdict> gives =
        agent.call(() -> agent.embedded().admit(read(alone("gives-up", 7)), self, 50));
    CompletableFuture<Verdict> never =
        agent.call(() -> agent.embedded().admit(read(alone("never", 8)), self, 60_000));
    assertThat(never).as("not even an empty machine has room").isDone();
    assertThat(gives.get(10, TimeUnit.SECONDS)).isInstanceOf(Verdict.Out.class);
    assertThat(waits).isNotDone();
    remove("holds");
    assertThat(waits.get(10, TimeUnit.SECONDS)).isInstanceOf(Verdict.In.class);
    assertThat(cpus("waits").size()).isEqualTo(4);
  }

  @Test
  void aCommandThatAsksTwiceIsLetInOnce() throws Exception {
    ProcessId self = ProcessId.of(ProcessHandle.current().pid()).orElseThrow();
    RunnablePod pod = read(alone("twice", 2));
    assertThat(agent.call(() -> agent.embedded().admit(pod, self, 0)).get())
        .isInstanceOf(Verdict.In.class);
    CpuSet cpus = cpus("twice");
    restart();
    assertThat(agent.call(() -> agent.embedded().admit(pod, self, 0)).get())
        .isInstanceOf(Verdict.In.class);
    assertThat(cpus("twice")).isEqualTo(cpus);
    assertThat(agent.call(() -> agent.node().exclusive())).isEqualTo(cpus);
  }

  @Test
  void answersWithOneLineWhatItCannotDo() {
    Desk desk = new Desk(agent, "socket");
    Api api = new Api(agent, new Window(agent, desk));
    assertThat(answer(api, "DELETE", "/pods/nobody", ""))
        .isEqualTo("404 pod nobody: expected one that is here, found none\n");
    assertThat(answer(api, "GET", "/explain/nobody", "")).startsWith("404 pod nobody");
    assertThat(answer(api, "POST", "/pods", "kind: Pot"))
        .isEqualTo("400 pods:1: kind: expected apiVersion v1 beside it, found none\n");
    assertThat(answer(api, "POST", "/run", "{")).startsWith("400 run: expected JSON");
    assertThat(answer(api, "GET", "/nothing", ""))
        .startsWith("404 /nothing: not found; expected /, /story");
    assertThat(answer(api, "GET", "/healthz", "")).isEqualTo("200 ok\n");
    assertThat(answer(api, "GET", "/readyz", "")).isEqualTo("200 ok\n");
  }

  private static String answer(Api api, String method, String path, String body) {
    HttpReply reply = api.answer(new HttpRequest(method, path, Map.of(), Map.of(), body));
    return reply.status() + " " + (reply instanceof HttpReply.Whole whole ? whole.body() : "");
  }

  @Test
  void itsLogIsForPeopleOrForPrograms() {
    apply(alone("db", 2));
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains(" agent: state: nothing before")
        .containsPattern("Z admitted db: c: CPUs \\S+ alone\n");
    settings = "berth: {logFormat: json}\n";
    agent.reload();
    apply(alone("web", 1));
    assertThat(log.toString(StandardCharsets.UTF_8))
        .containsPattern("\\{\"time\":\"[^\"]+Z\",\"kind\":\"admitted\",\"pod\":\"web\",");
  }

  /** Nothing was started, so nothing can fail to begin. */
  @Test
  void aPretendedContainerRunsOnHoweverLongItIsThere() {
    apply(alone("db", 1));
    agent.call(() -> {
      Tenant db = agent.embedded().residents().get("default_db").orElseThrow();
      db.life().containers().getFirst().found(1, Loop.milliseconds() - 60_000);
      agent.embedded().look();
      return db;
    });
    assertThat(agent.events().after(0))
        .extracting(Event::kind)
        .contains("started")
        .doesNotContain("failed");
  }

  /** As berth apply, berth explain and berth events have it. */
  @Test
  void tellsAtOnceWhyAPodSharesThatLooksGuaranteed() throws IOException {
    String yaml =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: db}
        spec:
          containers:
          - {name: app, command: [x], resources: {limits: {cpu: 4, memory: 1Mi}}}
          - {name: log, command: [x]}
        """;
    String line =
        "container app requests 4 CPUs and gets no exclusive ones, it runs on the shared pool 0-7:"
            + " spec.containers[log].resources.limits.cpu is not set; only a pod whose containers"
            + " all limit cpu and memory gets exclusive CPUs";
    Api api = new Api(agent, request -> HttpReply.text(404, ""));
    HttpReply.Whole answer =
        (HttpReply.Whole) api.answer(new HttpRequest("POST", "/pods", Map.of(), Map.of(), yaml));
    assertThat(answer.body()).contains("\"outcome\":\"admitted\"").contains("db: " + line);
    assertThat(log.toString(StandardCharsets.UTF_8)).contains("warning db: " + line);
    remove("db");
    settings = "cpuManagerPolicy: none\n";
    restart();
    assertThat(apply(yaml)).isEqualTo("in");
    assertThat(log.toString(StandardCharsets.UTF_8)).containsOnlyOnce(line);
  }
}
