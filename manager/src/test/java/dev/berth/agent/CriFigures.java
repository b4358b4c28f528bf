package dev.berth.agent;

import dev.berth.cri.ContainerDetail;
import dev.berth.cri.CriClient;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/** How soon a container that starts is on CPUs of its own where CRI is all there is. */
final class CriFigures {
  private static final int CONTAINERS = 30;
  private static final long SEED = 6;
  private static final String TELL = RealPod.TELL_CPUS + "; sleep 1000";

  private final String name;
  private final RealContainerd containerd;
  private final CriClient client;
  private int atOnce;

  private CriFigures(String name, RealContainerd containerd, CriClient client) {
    this.name = name;
    this.containerd = containerd;
    this.client = client;
  }

  static void withEvents(Path folder) throws Exception {
    measure("cri/events", folder, RealContainerd.current());
  }

  static void byListing(Path folder) throws Exception {
    measure("cri/listing", folder, RealContainerd.old());
  }

  private static void measure(String name, Path folder, RealContainerd started) throws Exception {
    try (RealContainerd containerd = started;
        CriClient client = CriClient.of(containerd.socket());
        RealAgent agent =
            RealAgent.start(
                folder, "--runtime", "cri", "--runtime-socket", containerd.socket().toString())) {
      new CriFigures(name, containerd, client).measure(agent);
    }
  }

  private void measure(RealAgent agent) throws IOException, InterruptedException {
    Random random = new Random(SEED);
    Telltale sharing = Telltale.start(containerd, "web", QosClass.BEST_EFFORT);
    RealPod pod = containerd.pods().run("db", QosClass.GUARANTEED);
    for (int i = 0; i < CONTAINERS; i++) {
      sharing.await("0-1");
      RealAgent.await("calm", () -> agent.pod("db").isMissingNode());
      // Where a listing comes every second, a container may start at any time between two.
      Thread.sleep(random.nextInt(1_000));
      owner(pod, "app" + i);
    }
    System.err.printf(
        "%s: %d of %d were on their CPUs from the first instruction%n", name, atOnce, CONTAINERS);
  }

  /** Starts one, tells how long it took to be on its CPU, and removes it. */
  private void owner(RealPod pod, String container) throws IOException, InterruptedException {
    String app = pod.start(container, Telltale.ONE_CPU, TELL);
    Instant started = Instant.now();
    Instant there = awaitPlace(app);
    pod.awaitLine(container, "Cpus_allowed_list:");
    boolean always = Telltale.told(pod, container).getFirst().equals("1");
    atOnce += always ? 1 : 0;
    Figures.tellTimes(name, always ? 0 : between(pod.firstWritten(container), there));
    Figures.tellTimes(name + "/returned", always ? 0 : between(started, there));
    pod.stop(app);
    pod.remove(app);
  }

  private Instant awaitPlace(String app) throws IOException, InterruptedException {
    long pid = client.container(app).map(ContainerDetail::pid).orElseThrow().orElseThrow();
    // Not RealAgent.await, which looks too seldom.
    Instant end = Instant.now().plus(Duration.ofSeconds(30));
    while (!RealAgent.allowed(pid).toString().equals("1")) {
      if (Instant.now().isAfter(end)) {
        throw new AssertionError("waited in vain for " + app + " to be on its CPU");
      }
      Thread.sleep(1);
    }
    return Instant.now();
  }

  private static long between(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toNanos());
  }
}
