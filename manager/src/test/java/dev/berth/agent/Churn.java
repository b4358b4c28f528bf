package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Lodger.Lease;
import dev.berth.kubelet.CheckpointRules;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.NodeSettings;
import dev.berth.topology.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Tenants at an agent that is killed again and again. Owns their threads, and the agent. */
final class Churn implements AutoCloseable {
  private static final int TENANTS = 3;
  private static final long PATIENCE = 15_000;

  private final ReentrantReadWriteLock asking = new ReentrantReadWriteLock(true);
  private final List<Lodger> tenants = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final RealAgent agent;
  private final boolean pretended;
  private final CheckpointRules rules;
  private final long seed;
  private final Random random;
  private int kills;

  /**
   * One that has begun.
   *
   * @param machine what the agent gives away
   * @param pretended whether there are no processes to be looked at
   * @param seed decides what is asked for and when the agent dies
   */
  Churn(RealAgent agent, Machine machine, boolean pretended, List<PodKind> kinds, long seed) {
    this.agent = agent;
    rules = new CheckpointRules(machine, NodeSettings.DEFAULTS.configuration());
    this.pretended = pretended;
    this.seed = seed;
    random = new Random(seed);
    for (int i = 0; i < TENANTS; i++) {
      Lodger tenant = new Lodger(agent, "t" + i, kinds, asking.readLock(), random.nextLong());
      tenants.add(tenant);
      threads.add(Thread.ofPlatform().name("tenant-" + i).start(tenant));
    }
  }

  /** Kills the agent so many times, and looks at everything after each start. */
  void run(int rounds) throws IOException, InterruptedException {
    while (kills < rounds) {
      Thread.sleep(random.nextInt(700));
      kill();
      while (kills < rounds && random.nextInt(3) == 0) {
        agent.begin();
        Thread.sleep(random.nextInt(1500));
        kill();
      }
      agent.startAgain();
      check();
    }
    endTenants();
  }

  private void kill() throws IOException, InterruptedException {
    agent.kill();
    kills++;
    checkState();
  }

  /** What was left on the disk is what a node could start from, at whatever moment it died. */
  private void checkState() throws IOException {
    Path cpus = agent.state().resolve("cpu_manager_state");
    assertThat(rules.broken(CpuCheckpoint.read(cpus.toString(), Files.readString(cpus))))
        .as("seed " + seed + ", after kill " + kills)
        .isEmpty();
  }

  private void endTenants() throws InterruptedException {
    tenants.forEach(Lodger::end);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Has everybody hold still, and waits until all agrees, but not for long. */
  private void check() throws IOException, InterruptedException {
    asking.writeLock().lock();
    try {
      List<Lease> leases = new ArrayList<>();
      tenants.forEach(tenant -> leases.addAll(tenant.leases()));
      long until = System.nanoTime() + PATIENCE * 1_000_000;
      List<String> lines = HouseCheck.lines(agent, pretended, leases);
      while (!lines.isEmpty() && System.nanoTime() < until) {
        Thread.sleep(50);
        lines = HouseCheck.lines(agent, pretended, leases);
      }
      tenants.forEach(tenant -> assertThat(tenant.complaints()).isEmpty());
      assertThat(lines).as("seed " + seed + ", after kill " + kills).isEmpty();
    } finally {
      asking.writeLock().unlock();
    }
  }

  /** All pods are removed, and nothing is left of them. */
  void everybodyLeaves() throws IOException, InterruptedException {
    check();
    for (Lodger tenant : tenants) {
      for (Lease lease : tenant.leases()) {
        if (lease.word != Lodger.Word.GONE) {
          agent.remove(lease.name);
          lease.word = Lodger.Word.GONE;
        }
      }
    }
    check();
    assertThat(agent.status().path("pods")).isEmpty();
    assertThat(agent.status().path("exclusive").asString()).isEmpty();
  }

  /** How many pods were let in. */
  int granted() {
    return tenants.stream().mapToInt(Lodger::granted).sum();
  }

  @Override
  public void close() {
    tenants.forEach(Lodger::end);
    agent.close();
    try {
      endTenants();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
