package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.LiveMachine;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pods come and go while the agent is killed at random moments, also while it starts. Afterwards
 * nothing was given twice and nothing is lost.
 *
 * <p>The system properties {@code berth.kills} and {@code berth.seed} have it die more often, or
 * with the same choices again.
 */
class ChurnTest {
  private static final List<PodKind> REAL =
      List.of(
          PodKind.ALONE,
          PodKind.SHARED,
          PodKind.STAGED,
          PodKind.RESTARTING,
          PodKind.ENDING,
          PodKind.HUGE);
  private static final List<PodKind> PRETENDED =
      List.of(PodKind.ALONE, PodKind.WIDE, PodKind.SHARED, PodKind.HUGE);
  private static final String MACHINE = "epyc-9654-2p-nps4";

  @TempDir private Path folder;

  @Test
  @Tag("slow")
  void nothingIsGivenTwiceOrLostWhereTheAgentIsKilled() throws Exception {
    churnWithProcesses(30);
  }

  @Test
  @Tag("long")
  void norWhereItIsKilledThreeHundredTimes() throws Exception {
    churnWithProcesses(Integer.getInteger("berth.kills", 300));
  }

  @Test
  @Tag("slow")
  void norOnALargerMachine() throws Exception {
    churnOnALargerMachine(10);
  }

  @Test
  @Tag("long")
  void norOnALargerMachineWhereItIsKilledAHundredTimes() throws Exception {
    churnOnALargerMachine(Integer.getInteger("berth.kills", 100));
  }

  private static long seed() {
    long seed = Long.getLong("berth.seed", System.nanoTime());
    System.out.println("seed " + seed);
    return seed;
  }

  private void churnWithProcesses(int kills) throws Exception {
    long seed = seed();
    Machine here = LiveMachine.here(CpuSet.EMPTY).discover();
    RealAgent agent = RealAgent.start(folder, "--cpu-manager-reconcile-period", "300ms");
    KernelWatch watch = new KernelWatch(agent.cgroup());
    Thread watching = Thread.ofPlatform().name("kernel-watch").start(watch);
    try (Churn churn = new Churn(agent, here, false, REAL, seed)) {
      churn.run(kills);
      watch.end();
      watching.join();
      System.out.printf(
          "%d kills; %d pods let in; %d looks at %d processes%n",
          kills, churn.granted(), watch.looks(), watch.sightings());
      assertThat(watch.violations()).as("seed " + seed).isEmpty();
      assertThat(watch.sightings()).isPositive();
      churn.everybodyLeaves();
      agent.end();
      assertThat(agent.groups()).isEmpty();
    } finally {
      watch.end();
      watching.join();
    }
  }

  private void churnOnALargerMachine(int kills) throws Exception {
    long seed = seed();
    RealAgent agent = RealAgent.start(folder, "--machine", MACHINE);
    try (Churn churn = new Churn(agent, Machines.named(MACHINE), true, PRETENDED, seed)) {
      churn.run(kills);
      System.out.printf("%d kills; %d pods let in%n", kills, churn.granted());
      churn.everybodyLeaves();
    }
  }
}
