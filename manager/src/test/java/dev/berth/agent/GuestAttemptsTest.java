package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.protocols.nri.PodSandbox;
import org.junit.jupiter.api.Test;

/** Containers that fail, or whose next attempt cannot be created. */
class GuestAttemptsTest extends GuestHouse {
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
}
