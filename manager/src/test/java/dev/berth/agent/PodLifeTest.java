package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.PodLife.Deed;
import dev.berth.agent.PodLife.Phase;
import dev.berth.kubelet.RestartPolicy;
import dev.berth.workload.Container.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodLifeTest {
  private static final Part SETUP = new Part("setup", Role.INIT);
  private static final Part PROXY = new Part("proxy", Role.SIDECAR);
  private static final Part SHIP = new Part("ship", Role.SIDECAR);
  private static final Part APP = new Part("app", Role.APP);
  private static final Part HELP = new Part("help", Role.APP);

  private long now;

  /** A container of a pod. */
  private record Part(String name, Role role) {}

  private static PodLife life(RestartPolicy restart, Part... parts) {
    return new PodLife(
        Stream.of(parts).map(part -> new ContainerLife(part.name(), part.role())).toList(),
        restart,
        Duration.ofSeconds(30));
  }

  /** What is to be done now, in words; starts and asks are carried out. */
  private List<String> deeds(PodLife life) {
    List<String> words = new ArrayList<>();
    for (Deed deed : life.next(now)) {
      switch (deed) {
        case Deed.Start start -> {
          words.add("start " + start.container().name());
          start.container().started(now);
        }
        case Deed.Ask ask -> words.add("ask " + ask.container().name());
        case Deed.Kill kill -> words.add("kill " + kill.container().name());
        case Deed.Finish finish -> words.add("finish " + finish.phase());
      }
    }
    return words;
  }

  private void end(PodLife life, String name, int code) {
    life.container(name).orElseThrow().ended(code, now);
  }

  @Test
  void initContainersRunOneAfterTheOtherBeforeTheApps() {
    PodLife life = life(RestartPolicy.ALWAYS, SETUP, new Part("second", Role.INIT), APP, HELP);
    assertThat(deeds(life)).containsExactly("start setup");
    assertThat(deeds(life)).isEmpty();
    end(life, "setup", 0);
    assertThat(deeds(life)).containsExactly("start second");
    assertThat(life.phase()).isEqualTo(Phase.PENDING);
    end(life, "second", 0);
    assertThat(deeds(life)).containsExactly("start app", "start help");
    assertThat(life.phase()).isEqualTo(Phase.RUNNING);
  }

  @Test
  void aSidecarIsStartedInItsTurnAndStays() {
    PodLife life = life(RestartPolicy.NEVER, PROXY, SETUP, APP);
    assertThat(deeds(life)).containsExactly("start proxy");
    assertThat(deeds(life)).containsExactly("start setup");
    end(life, "setup", 0);
    assertThat(deeds(life)).containsExactly("start app");
    end(life, "proxy", 1);
    assertThat(deeds(life)).as("whatever the pod's policy").containsExactly("start proxy");
  }

  @Test
  void sidecarsAreStoppedAfterTheAppsInReverse() {
    PodLife life = life(RestartPolicy.NEVER, PROXY, SHIP, APP);
    deeds(life);
    deeds(life);
    assertThat(deeds(life)).containsExactly("start app");
    end(life, "app", 0);
    assertThat(deeds(life)).containsExactly("ask ship");
    assertThat(deeds(life)).isEmpty();
    end(life, "ship", 143);
    assertThat(deeds(life)).containsExactly("ask proxy");
    end(life, "proxy", 143);
    assertThat(deeds(life)).containsExactly("finish SUCCEEDED");
    assertThat(deeds(life)).isEmpty();
  }

  @Test
  void aFailedInitContainerIsFinalOnlyUnderNever() {
    PodLife never = life(RestartPolicy.NEVER, SETUP, APP);
    deeds(never);
    end(never, "setup", 2);
    assertThat(deeds(never)).containsExactly("finish FAILED");
    assertThat(never.reason()).isEqualTo("init container setup ended with 2");
    PodLife always = life(RestartPolicy.ALWAYS, SETUP, APP);
    deeds(always);
    end(always, "setup", 2);
    assertThat(deeds(always)).containsExactly("start setup");
  }

  @Test
  void restartsAtOnceAndThenAfterPausesThatDouble() {
    PodLife life = life(RestartPolicy.ALWAYS, APP);
    deeds(life);
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      end(life, "app", 0);
      List<String> started = deeds(life);
      long before = now;
      while (started.isEmpty()) {
        now = life.wakeAt(now).orElseThrow();
        started = deeds(life);
      }
      assertThat(started).containsExactly("start app");
      pauses.add((now - before) / 1_000);
    }
    assertThat(pauses).containsExactly(0L, 10L, 20L, 40L, 80L, 160L, 300L, 300L);
    now += Duration.ofMinutes(10).toMillis();
    end(life, "app", 1);
    assertThat(deeds(life)).as("after a long run").containsExactly("start app");
  }

  @Test
  void endsByItsExitCodes() {
    PodLife life = life(RestartPolicy.ON_FAILURE, APP, HELP);
    deeds(life);
    end(life, "app", 0);
    assertThat(deeds(life)).isEmpty();
    end(life, "help", 1);
    assertThat(deeds(life)).containsExactly("start help");
    end(life, "help", 0);
    assertThat(deeds(life)).containsExactly("finish SUCCEEDED");
    PodLife failing = life(RestartPolicy.NEVER, APP, HELP);
    deeds(failing);
    end(failing, "app", 0);
    end(failing, "help", 3);
    assertThat(deeds(failing)).containsExactly("finish FAILED");
  }

  @Test
  void oneThatDoesNotEndIsKilledWhenItsTimeIsUp() {
    PodLife life = life(RestartPolicy.ALWAYS, APP);
    deeds(life);
    life.stop(Phase.FAILED, "removed", now);
    assertThat(deeds(life)).containsExactly("ask app");
    assertThat(life.wakeAt(now)).hasValue(now + 30_000);
    now += 29_999;
    assertThat(deeds(life)).isEmpty();
    now += 1;
    assertThat(deeds(life)).containsExactly("kill app");
    end(life, "app", 137);
    assertThat(deeds(life)).containsExactly("finish FAILED");
    assertThat(life.reason()).isEqualTo("removed");
  }

  @Test
  void aContainerKeepsItsPlaceOverItsRestartsAndAnInitContainerUntilItIsDone() {
    PodLife life = life(RestartPolicy.ALWAYS, SETUP, APP);
    ContainerLife setup = life.container("setup").orElseThrow();
    ContainerLife app = life.container("app").orElseThrow();
    assertThat(life.needsPlace(setup)).isTrue();
    assertThat(life.needsPlace(app)).isTrue();
    deeds(life);
    end(life, "setup", 0);
    deeds(life);
    assertThat(life.needsPlace(setup)).isFalse();
    end(life, "app", 1);
    assertThat(life.needsPlace(app)).isTrue();
    life.stop(Phase.FAILED, "removed", now);
    assertThat(life.needsPlace(app)).isFalse();
  }

  @Test
  void nothingBeginsWhileItIsHeldAndItCanBeStopped() {
    PodLife life = life(RestartPolicy.ALWAYS, SETUP, APP);
    life.hold();
    assertThat(deeds(life)).isEmpty();
    assertThat(life.phase()).isEqualTo(Phase.PENDING);
    assertThat(life.needsPlace(life.container("app").orElseThrow())).isTrue();
    life.release();
    assertThat(deeds(life)).containsExactly("start setup");
    PodLife stopped = life(RestartPolicy.ALWAYS, SETUP, APP);
    stopped.hold();
    stopped.stop(Phase.FAILED, "removed", now);
    assertThat(deeds(stopped)).containsExactly("finish FAILED");
  }

  @Test
  void theOneAfterASidecarWaitsUntilPluginsAreReadyForThatAndAStopDoesNot() {
    PodLife life = life(RestartPolicy.ALWAYS, PROXY, SETUP, APP);
    ContainerLife proxy = life.container("proxy").orElseThrow();
    assertThat(life.next(now)).hasSize(1);
    proxy.preparing();
    assertThat(deeds(life)).isEmpty();
    assertThat(life.wakeAt(now)).isEmpty();
    assertThat(life.needsPlace(proxy)).isTrue();
    proxy.prepared();
    assertThat(deeds(life)).containsExactly("start proxy");
    assertThat(deeds(life)).containsExactly("start setup");
    end(life, "proxy", 1);
    assertThat(life.next(now)).hasSize(1);
    proxy.preparing();
    life.stop(Phase.FAILED, "removed", now);
    assertThat(deeds(life)).containsExactly("ask setup");
    end(life, "setup", 0);
    assertThat(deeds(life)).containsExactly("finish FAILED");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverHappensEveryPodThatIsStoppedFinishesAndNothingRunsThen(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      now = 0;
      RestartPolicy policy = List.of(RestartPolicy.values()).get(random.nextInt(3));
      PodLife life = life(policy, PROXY, SETUP, SHIP, APP, HELP);
      boolean finished = false;
      for (int step = 0; step < 200 && !finished; step++) {
        if (step == 50) {
          life.stop(Phase.FAILED, "removed", now);
        }
        List<String> deeds = deeds(life);
        finished = deeds.stream().anyMatch(deed -> deed.startsWith("finish"));
        for (ContainerLife container : life.containers()) {
          if (container.isRunning()
              && (random.nextInt(4) == 0 || deeds.contains("kill " + container.name()))) {
            container.ended(random.nextInt(3), now);
          }
        }
        now += random.nextInt(20_000);
      }
      assertThat(finished).as("seed %d, round %d", seed, round).isTrue();
      assertThat(life.containers()).noneMatch(ContainerLife::isRunning);
      assertThat(life.phase().isOver()).isTrue();
    }
  }
}
