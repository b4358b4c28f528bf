package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.state.StateFolder;
import dev.berth.cgroup.Placement;
import dev.berth.cpu.CpuSet;
import dev.berth.http.HttpReply;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Holding;
import dev.berth.podresources.ResourcesSnapshot.ContainerShare;
import dev.berth.protocols.nri.PodSandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers of a runtime that asks before it starts them. */
class GuestsTest extends GuestHouse {
  private static final int STEPS = Integer.getInteger("berth.steps", 200);

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
    try (Desk desk = new Desk(agent, "socket")) {
      assertThat(tried(desk, one)).contains("would be let in").doesNotContain("after the other");
      assertThat(tried(desk, one + ", " + one.replace("name: a", "name: b")))
          .contains("would be let in")
          .contains("a runtime asks for one after the other");
    }
  }
}
