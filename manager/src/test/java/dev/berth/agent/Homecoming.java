package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cgroup.Placement;
import dev.berth.cri.CriClient;
import dev.berth.runtime.Asks;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An agent and a runtime that lose and meet each other again by NRI, with containers that have to
 * be moved then. All is checked in the end; how long it took is left to who asks.
 */
final class Homecoming implements AutoCloseable {
  private final RealContainerd containerd;
  private final RealAgent agent;
  private final Map<RealPod, Seat> seats = new LinkedHashMap<>();

  private Homecoming(RealContainerd containerd, RealAgent agent) {
    this.containerd = containerd;
    this.agent = agent;
  }

  static Homecoming open(Path folder) throws IOException {
    RealContainerd containerd = RealContainerd.current();
    try {
      return new Homecoming(containerd, RealAgent.startByNri(folder, containerd.nriSocket()));
    } catch (IOException | RuntimeException | Error e) {
      containerd.close();
      throw e;
    }
  }

  /** Where a container's first process should be. */
  private record Seat(String name, long pid, String cpus) {
    boolean isTaken() throws IOException {
      return RealAgent.allowed(pid).toString().equals(cpus);
    }
  }

  /** What makes one of the two be away, or come back. */
  private interface Deed {
    void happens() throws Exception;
  }

  /** Pods come while the agent was killed; nanoseconds from its registration until all sit. */
  long agentKilled() throws Exception {
    return awayWhilePodsCome(agent::kill);
  }

  /** The same with one that ended as it likes to be ended. */
  long agentUpgraded() throws Exception {
    return awayWhilePodsCome(agent::end);
  }

  /** An owner, two who share and one who finds no room; all but the first come meanwhile. */
  private long awayWhilePodsCome(Deed ending) throws Exception {
    comes("web", QosClass.BEST_EFFORT, Asks.NOTHING, "0");
    ending.happens();
    comes("db", QosClass.GUARANTEED, Telltale.ONE_CPU, "1");
    comes("job", QosClass.BURSTABLE, Asks.requested(100), "0");
    comes("late", QosClass.GUARANTEED, Telltale.ONE_CPU, "0");
    long took = settledAfter(agent::begin);
    everybodyStaysAsPromisedAndGoes();
    return took;
  }

  /** Everybody is moved by a hand while the runtime, which could put it right, is not there. */
  long runtimeKilled() throws Exception {
    comes("db", QosClass.GUARANTEED, Telltale.ONE_CPU, "1");
    comes("web", QosClass.BEST_EFFORT, Asks.NOTHING, "0");
    containerd.kill();
    RealAgent.await("the agent to notice", () -> !agent.isReady());
    for (Seat seat : seats.values()) {
      Path group = Placement.Finder.here().group(seat.pid()).orElseThrow();
      Files.writeString(group.resolve("cpuset.cpus"), "0-1");
    }
    long took = settledAfter(containerd::restart);
    everybodyStaysAsPromisedAndGoes();
    return took;
  }

  /** Starts a container that should be on these CPUs in the end. */
  private void comes(String name, QosClass qos, Asks asks, String cpus) throws IOException {
    RealPod pod = containerd.pods().run(name, qos);
    String id = pod.start("app", asks, "sleep 1000");
    try (CriClient client = CriClient.of(containerd.socket())) {
      long pid = client.container(id).orElseThrow().pid().orElseThrow();
      seats.put(pod, new Seat(name, pid, cpus));
    }
  }

  private boolean allAreSeated() throws IOException {
    for (Seat seat : seats.values()) {
      if (!seat.isTaken()) {
        return false;
      }
    }
    return true;
  }

  private long registrations() throws IOException {
    try (var lines = Files.lines(agent.log())) {
      return lines.filter(line -> line.contains("NRI: registered as")).count();
    }
  }

  /** Nanoseconds from the next registration until everybody is where it should be. */
  private Callable<Long> settling(long before) {
    long[] returned = {0};
    long[] took = {0};
    return () -> {
      RealAgent.await(
          "everybody to be where it should be",
          () -> {
            boolean back = returned[0] != 0 || registrations() > before;
            long now = System.nanoTime();
            if (back && returned[0] == 0) {
              returned[0] = now;
            }
            took[0] = now - returned[0];
            return back && allAreSeated();
          });
      return took[0];
    };
  }

  private long settledAfter(Deed deed) throws Exception {
    assertThat(allAreSeated()).as("somebody has to be moved").isFalse();
    try (ExecutorService watcher = Executors.newSingleThreadExecutor()) {
      Future<Long> took = watcher.submit(settling(registrations()));
      deed.happens();
      return took.get();
    }
  }

  private void everybodyStaysAsPromisedAndGoes() throws IOException {
    RealAgent.await("the agent to be ready", agent::isReady);
    for (Seat seat : seats.values()) {
      assertThat(RealAgent.allowed(seat.pid())).as(seat.name()).hasToString(seat.cpus());
      assertThat(agent.container(seat.name(), "app").path("cpus").asString())
          .as(seat.name())
          .isEqualTo(seat.cpus());
    }
    for (RealPod pod : seats.keySet()) {
      pod.remove();
    }
    seats.clear();
  }

  @Override
  public void close() throws IOException {
    try (containerd;
        agent) {
      seats.clear();
    }
  }
}
