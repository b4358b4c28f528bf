package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.NodeSettings;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.ttrpc.TtrpcException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An agent beside a runtime that starts nothing, on a machine of 16 CPUs in 2 NUMA nodes. */
abstract class GuestHouse {
  @TempDir Path folder;
  Path socket;
  ModelRuntime runtime;
  Agent agent;

  @BeforeEach
  void start() throws Exception {
    socket = folder.resolve("nri.sock");
    runtime = new ModelRuntime(socket);
    startAgent();
    runtime.meet();
  }

  final void startAgent() throws IOException {
    agent = started(NodeSettings.DEFAULTS);
  }

  final Agent started(NodeSettings settings) throws IOException {
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

  final Held create(String pod, String qos, String container, int cpus) throws Exception {
    return runtime.create(runtime.pod(pod, qos), container, cpus);
  }

  /** Waits until the runtime has been told all, then looks whether nobody sits on another's. */
  final void check(String when) {
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

  final List<Place> owed() {
    return ((Guests) agent.household()).owed();
  }

  final void attempt(String pod, String qos, String container, int cpus) throws Exception {
    try {
      create(pod, qos, container, cpus);
    } catch (TtrpcException e) {
      assertThat(e).hasMessageStartingWith("berth: " + pod + "/" + container + ": ");
    }
  }
}
