package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.ModelRuntime.Held;
import dev.berth.agent.state.StateFolder;
import dev.berth.cgroup.Placement;
import dev.berth.cpu.CpuSet;
import dev.berth.guest.GuestRequest;
import dev.berth.http.HttpReply;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Holding;
import dev.berth.podresources.ResourcesSnapshot.ContainerShare;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.ttrpc.TtrpcException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent beside a runtime that starts nothing, on a machine of 16 CPUs in 2 NUMA nodes. */
class GuestsTest {
  private static final int STEPS = Integer.getInteger("berth.steps", 200);

  @TempDir private Path folder;
  private Path socket;
  private ModelRuntime runtime;
  private Agent agent;

  @BeforeEach
  void start() throws Exception {
    socket = folder.resolve("nri.sock");
    runtime = new ModelRuntime(socket);
    startAgent();
    runtime.meet();
  }

  private void startAgent() throws IOException {
    agent = started(NodeSettings.DEFAULTS);
  }

  private Agent started(NodeSettings settings) throws IOException {
    Machine machine = Machines.parse("pack:2 node:1 l3:2 core:2 pu:2");
    return PretendedAgent.startBeside(
        new ForeignRuntime(ForeignRuntime.Kind.NRI, socket),
        folder,
        Ground.fixed(machine),
        () -> settings,
        OutputStream.nullOutputStream());
  }

  @AfterEach
  void stop() throws IOException {
    agent.close();
    runtime.close();
  }

  private Held create(String pod, String qos, String container, int cpus) throws Exception {
    return runtime.create(runtime.pod(pod, qos), container, cpus);
  }

  /** Waits until the runtime has been told all, then looks whether nobody sits on another's. */
  private void check(String when) {
    RealAgent.await(when + ": all to be told", () -> agent.call(() -> owed().isEmpty()));
    assertThat(agent.call(() -> StoryFold.now(agent)))
        .as(when + ": story")
        .isEqualTo(agent.call(() -> StoryFold.of(agent.node())));
    CpuSet taken = CpuSet.EMPTY;
    CpuSet shared = agent.call(() -> agent.node().shared());
    for (Held held : runtime.all()) {
      if (!held.isRunning()) {
        continue;
      }
      if (held.quota() == -1) {
        assertThat(held.cpus().intersects(taken)).as("%s: %s twice", when, held.cpus()).isFalse();
        taken = taken.union(held.cpus());
      } else {
        assertThat(held.cpus()).as("%s: %s", when, held.id()).isEqualTo(shared);
      }
    }
    assertThat(taken.intersects(shared))
        .as("%s: owned %s, shared %s", when, taken, shared)
        .isFalse();
    assertThat(agent.call(() -> Displaced.thoughTheyFit(agent)))
        .as("%s: displaced though there is room", when)
        .isEmpty();
  }

  private List<Place> owed() {
    return ((Guests) agent.household()).owed();
  }

  @Test
  void anOwnersCpusAreNobodyElses() throws Exception {
    Held web = create("web", "besteffort", "app", 0);
    assertThat(web.cpus()).hasToString("0-15");
    Held db = create("db", "guaranteed", "app", 4);
    assertThat(db.cpus().size()).isEqualTo(4);
    assertThat(db.quota()).isEqualTo(-1);
    assertThat(web.cpus()).isEqualTo(CpuSet.parse("0-15").difference(db.cpus()));
    check("with an owner");
    assertThat(runtime.unsolicited()).as("an answer is enough").isZero();
    runtime.removePod(db.podUid());
    check("without");
    assertThat(web.cpus()).hasToString("0-15");
  }

  @Test
  void aPodInANewSandboxKeepsItsCpusWhenTheOldOneIsRemoved() throws Exception {
    PodSandbox pod = runtime.pod("db", "guaranteed");
    Held before = runtime.create(pod, "app", 4);
    runtime.stop(before);
    runtime.tell("StopPodSandbox", pod);
    runtime.remove(before);
    Held after = runtime.create(ModelRuntime.again(pod), "app", 4);
    runtime.tell("RemovePodSandbox", pod);
    check("after the old sandbox");
    assertThat(agent.call(() -> agent.node().cpusOf("uid-db/app", "app"))).contains(after.cpus());
  }

  @Test
  void oneThatTheRuntimeDoesNotKnowYetMakesWayBeforeItRuns() throws Exception {
    Held web = runtime.ask(runtime.pod("web", "besteffort"), "app", 0);
    Held db =
        runtime.inOneGo(() -> {
          Held owner = create("db", "guaranteed", "app", 4);
          runtime.know(web);
          return owner;
        });
    RealAgent.await("it to make way", () -> !web.cpus().intersects(db.cpus()));
  }

  @Test
  void oneThatTheRuntimeDoesNotKnowYetMakesWayOnceItRuns() throws Exception {
    Held web = runtime.ask(runtime.pod("web", "besteffort"), "app", 0);
    Held db = create("db", "guaranteed", "app", 4);
    assertThat(web.cpus().intersects(db.cpus())).as("it could not be told").isTrue();
    runtime.enter(web);
    check("once it runs");
    assertThat(web.cpus().intersects(db.cpus())).isFalse();
  }

  @Test
  void oneWhoseProcessRunsKeepsItsCpusThoughTheRuntimeLosesSightOfIt() throws Exception {
    Held db = create("db", "guaranteed", "app", 8);
    Process process = new ProcessBuilder("sleep", "1000").start();
    try {
      runtime.run(db, process.pid());
      runtime.loseSightOf(db);
      runtime.leave();
      runtime.meet();
      Held other = create("other", "guaranteed", "app", 4);
      assertThat(other.cpus().intersects(db.cpus())).isFalse();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aPodThatStoppedWhileTheAgentWasAwayGivesItsCpusBackThoughItsSandboxIsListed()
      throws Exception {
    create("web", "besteffort", "app", 0);
    Held db = create("db", "guaranteed", "app", 8);
    agent.close();
    runtime.leave();
    runtime.stopUnheard(db.podUid());
    startAgent();
    runtime.meet();
    check("afterwards");
    assertThat(agent.call(() -> Holding.all(agent.node()))).isEmpty();
  }

  @Test
  void whoIsOwedCpusGetsThoseOfOneThatLeftWhileTheRuntimeWasAway() throws Exception {
    Held db = create("db", "guaranteed", "app", 12);
    runtime.leave();
    Held late = create("late", "guaranteed", "app", 8);
    runtime.meet();
    check("without room");
    assertThat(late.quota()).isPositive();
    runtime.leave();
    runtime.remove(db);
    runtime.meet();
    check("with room");
    assertThat(late.quota()).isEqualTo(-1);
  }

  @Test
  void whatNobodyUnderstandsAndCameWhileNobodyLookedKeepsOffAnOwnersCpus() throws Exception {
    Held db = create("db", "guaranteed", "app", 4);
    runtime.leave();
    Held odd =
        runtime.create(
            runtime.pod("odd", "besteffort").toBuilder()
                .putAnnotations(GuestRequest.ANNOTATION + "app", "nonsense")
                .build(),
            "app",
            0);
    runtime.meet();
    check("afterwards");
    assertThat(odd.cpus()).isEqualTo(CpuSet.parse("0-15").difference(db.cpus()));
    assertThat(agent.events().after(0))
        .anyMatch(event ->
            event.kind().equals("warning")
                && event.pod().equals("odd")
                && event.message().contains("expected RESOURCE=AMOUNT, found \"nonsense\""));
  }

  @Test
  void whereNoProcessOfASandboxIsNamedOneThatHasEndedKeepsItsCpus() throws Exception {
    runtime.nameNoProcesses();
    create("web", "besteffort", "app", 0);
    Held db = create("db", "guaranteed", "app", 8);
    agent.close();
    runtime.leave();
    runtime.stopUnheard(db.podUid());
    startAgent();
    runtime.meet();
    check("afterwards");
    assertThat(agent.call(() -> agent.node().cpusOf("uid-db/app", "app"))).contains(db.cpus());
  }

  @Test
  void whatIsSentWhenSomebodyLeavesIsCheckedInAMoment() throws Exception {
    agent.close();
    runtime.leave();
    agent = started(NodeSettings.read("berth.yaml", "cpuManagerReconcilePeriod: 10m", List.of()));
    runtime.meet();
    Held web = create("web", "besteffort", "app", 0);
    Held db = create("db", "guaranteed", "app", 8);
    Process process = new ProcessBuilder("sleep", "1000").start();
    try {
      // Nobody moves it, so it is never where the runtime was told to have it.
      assumeTrue(
          Placement.Finder.here().group(process.pid()).flatMap(Placement::read).isPresent(),
          "needs cgroups");
      runtime.run(web, process.pid());
      Thread.sleep(1_000);
      int before = runtime.unsolicited();
      runtime.removePod(db.podUid());
      RealAgent.await("it to be told again", () -> runtime.unsolicited() >= before + 2);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void oneThatHasFailedKeepsItsCpusOverARestartUntilItsSandboxStops() throws Exception {
    PodSandbox pod = runtime.pod("db", "guaranteed");
    Held first = runtime.create(pod, "app", 8);
    CpuSet cpus = first.cpus();
    runtime.stop(first, 1);
    agent.close();
    runtime.leave();
    startAgent();
    runtime.meet();
    attempt("thief", "guaranteed", "app", 8);
    assertThat(runtime.create(pod, "app", 8).cpus()).isEqualTo(cpus);
    runtime.tell("StopPodSandbox", pod);
    attempt("next", "guaranteed", "app", 8);
    assertThat(agent.call(() -> agent.node().cpusOf("uid-next/app", "app"))).isPresent();
  }

  @Test
  void anAttemptThatCannotBeCreatedCostsAContainerNothing() throws Exception {
    PodSandbox pod = runtime.pod("db", "guaranteed");
    Held first = runtime.create(pod, "app", 8);
    CpuSet cpus = first.cpus();
    runtime.stop(first, 1);
    for (int i = 0; i < 2; i++) {
      runtime.undo(runtime.ask(pod, "app", 8));
    }
    attempt("thief", "guaranteed", "app", 12);
    assertThat(agent.call(() -> agent.node().cpusOf("uid-thief/app", "app"))).isEmpty();
    assertThat(runtime.create(pod, "sidecar", 2).cpus().intersects(cpus))
        .as("it has failed")
        .isFalse();
    Held second = runtime.create(pod, "app", 8);
    assertThat(second.cpus()).isEqualTo(cpus);
    runtime.remove(first);
    assertThat(agent.call(() -> agent.node().cpusOf("uid-db/app", "app"))).contains(cpus);
    runtime.remove(second);
    RealAgent.await(
        "its CPUs to be free",
        () -> agent.call(() -> agent.node().cpusOf("uid-db/app", "app").isEmpty()));
  }

  @Test
  void anAttemptThatCannotBeCreatedKeepsNothingOnceTheOneBeforeIsRemoved() throws Exception {
    PodSandbox pod = runtime.pod("db", "guaranteed");
    Held first = runtime.create(pod, "app", 8);
    runtime.stop(first, 1);
    Held second = runtime.ask(pod, "app", 8);
    runtime.remove(first);
    runtime.undo(second);
    RealAgent.await(
        "its CPUs to be free", () -> agent.call(() -> Holding.all(agent.node()).isEmpty()));
  }

  @Test
  void oneThatHasFailedDoesNotMakeWayForItsSiblingsButAnInitContainerDoes() throws Exception {
    PodSandbox pod = runtime.pod("db", "guaranteed");
    Held init = runtime.create(pod, "init", 4);
    CpuSet cpus = init.cpus();
    runtime.stop(init, 0);
    Held crashed = runtime.create(pod, "app", 4);
    assertThat(crashed.cpus()).isEqualTo(cpus);
    runtime.stop(crashed, 137);
    assertThat(runtime.create(pod, "sidecar", 4).cpus().intersects(cpus)).isFalse();
    assertThat(runtime.create(pod, "app", 4).cpus()).isEqualTo(cpus);
  }

  @Test
  void oneThatHasFailedDoesNotMakeWayAfterTheRuntimeWasAwayEither() throws Exception {
    PodSandbox pod = runtime.pod("db", "guaranteed");
    Held crashed = runtime.create(pod, "app", 4);
    CpuSet cpus = crashed.cpus();
    runtime.stop(crashed, 137);
    runtime.leave();
    runtime.meet();
    assertThat(runtime.create(pod, "sidecar", 4).cpus().intersects(cpus)).isFalse();
    assertThat(runtime.create(pod, "app", 4).cpus()).isEqualTo(cpus);
  }

  @Test
  void aPodAndItsSuccessorOfTheSameNameAreTwo() throws Exception {
    PodSandbox old = runtime.pod("db", "guaranteed");
    PodSandbox next = old.toBuilder().setUid("uid-next").setId("sandbox-next").build();
    Held one = runtime.create(old, "app", 2);
    Held more = runtime.create(old, "more", 1);
    Held two = runtime.create(next, "app", 4);
    assertThat(agent.call(() -> PodResources.snapshot(agent.node(), agent.household()).pods()))
        .extracting(pod -> pod.containers().stream().map(ContainerShare::cpus).toList())
        .containsExactlyInAnyOrder(List.of(one.cpus(), more.cpus()), List.of(two.cpus()));
  }

  @Test
  void aResizeIsNotUndoneByAReconnect() throws Exception {
    Held web = create("web", "burstable", "app", 2);
    runtime.resize(web, 400_000);
    runtime.leave();
    runtime.meet();
    check("after a reconnect");
    assertThat(web.quota()).isEqualTo(400_000);
    Held db = create("db", "guaranteed", "app", 2);
    runtime.resize(db, 400_000);
    assertThat(db.quota()).isEqualTo(-1);
    assertThat(db.cpus().size()).isEqualTo(2);
  }

  @Test
  void whatTheRuntimeWasToldIsForgottenWithTheContainer() throws Exception {
    for (int i = 0; i < 50; i++) {
      create("web" + i, "besteffort", "app", 0);
      create("db" + i, "guaranteed", "app", 1);
      runtime.removePod("uid-db" + i);
      runtime.removePod("uid-web" + i);
    }
    check("afterwards");
    RealAgent.await(
        "all to be forgotten", () -> agent.call(() -> ((Guests) agent.household()).known()) == 0);
  }

  @Test
  void kubernetesFileHasTheContainersInTheirPods() throws Exception {
    PodSandbox pod = runtime.pod("db", "guaranteed");
    Held one = runtime.create(pod, "one", 2);
    Held two = runtime.create(pod, "two", 3);
    Path file = folder.resolve("state").resolve("cpu_manager_state");
    RealAgent.await(
        "the file to follow",
        () ->
            CpuCheckpoint.read("", Files.readString(file))
                .entries()
                .equals(Map.of("uid-db", Map.of("one", one.cpus(), "two", two.cpus()))));
    agent.close();
    assertThat(StateFolder.look(folder.resolve("state")).why())
        .containsExactly("state: 2 pods kept from berth_state, checkpoints agree");
    startAgent();
    runtime.leave();
    runtime.meet();
    check("after a restart");
    assertThat(one.cpus().size()).isEqualTo(2);
  }

  @Test
  void aCheckpointOfAKubeletIsTakenOverWithEveryContainerWhereItIs() throws Exception {
    Held one = create("db", "guaranteed", "one", 2);
    CpuSet cpus = one.cpus();
    Held gone = create("gone", "guaranteed", "one", 3);
    agent.close();
    runtime.leave();
    Files.delete(folder.resolve("state").resolve("berth_state"));
    runtime.remove(gone);
    startAgent();
    assertThat(agent.call(() -> agent.unknownHolders().keySet()))
        .containsExactly("uid-db/one", "uid-gone/one");
    runtime.meet();
    check("after the kubelet");
    assertThat(one.cpus()).isEqualTo(cpus);
    assertThat(agent.call(() -> agent.unknownHolders())).isEmpty();
    assertThat(agent.call(() -> Holding.all(agent.node()).keySet())).containsExactly("uid-db/one");
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nothingIsGivenTwiceWhateverHappens(long seed) throws Exception {
    Random random = new Random(seed);
    int pods = 0;
    for (int step = 0; step < STEPS; step++) {
      String when = "seed " + seed + ", step " + step;
      List<Held> all = runtime.all();
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> {
          String qos = List.of("guaranteed", "burstable", "besteffort").get(random.nextInt(3));
          attempt("pod" + pods++, qos, "app", 1 + random.nextInt(4));
        }
        case 4 -> {
          if (!all.isEmpty()) {
            Held held = all.get(random.nextInt(all.size()));
            attempt(held.podUid().substring(4), qosOf(held), "more" + step, 1 + random.nextInt(3));
          }
        }
        case 5 -> {
          if (!all.isEmpty()) {
            runtime.stop(all.get(random.nextInt(all.size())));
          }
        }
        case 6, 7 -> {
          if (!all.isEmpty()) {
            runtime.remove(all.get(random.nextInt(all.size())));
          }
        }
        case 8, 9 -> {
          if (!all.isEmpty()) {
            runtime.removePod(all.get(random.nextInt(all.size())).podUid());
          }
        }
        case 10 -> {
          runtime.leave();
          attempt("away" + pods++, "guaranteed", "app", 1 + random.nextInt(4));
          runtime.meet();
        }
        default -> {
          agent.close();
          runtime.leave();
          attempt("away" + pods++, "guaranteed", "app", 1 + random.nextInt(4));
          startAgent();
          runtime.meet();
        }
      }
      check(when);
    }
    for (Held held : runtime.all()) {
      runtime.remove(held);
    }
    RealAgent.await(
        "everything to be free", () -> agent.call(() -> Holding.all(agent.node()).isEmpty()));
  }

  private static String qosOf(Held held) {
    return held.isGuaranteed() ? "guaranteed" : "burstable";
  }

  private void attempt(String pod, String qos, String container, int cpus) throws Exception {
    try {
      create(pod, qos, container, cpus);
    } catch (TtrpcException e) {
      assertThat(e).hasMessageStartingWith("berth: " + pod + "/" + container + ": ");
    }
  }

  private static String tried(Desk desk, String containers) {
    String pod =
        "{apiVersion: v1, kind: Pod, metadata: {name: two}, spec: {containers: ["
            + containers
            + "]}}";
    return ((HttpReply.Whole) desk.wouldBe("try.yaml", pod)).body();
  }

  @Test
  void aTriedPodOfSeveralContainersSaysThatARuntimeAsksForOneAfterTheOther() throws IOException {
    String one = "{name: a, resources: {limits: {cpu: 2, memory: 1Mi}}}";
    try (Desk desk = new Desk(agent)) {
      assertThat(tried(desk, one)).contains("would be let in").doesNotContain("after the other");
      assertThat(tried(desk, one + ", " + one.replace("name: a", "name: b")))
          .contains("would be let in")
          .contains("a runtime asks for one after the other");
    }
  }
}
