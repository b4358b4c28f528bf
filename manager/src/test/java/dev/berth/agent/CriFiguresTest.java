package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.ContainerDetail;
import dev.berth.cri.CriClient;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a container that starts is on CPUs of its own where CRI is all there is, printed. */
@Tag("long")
class CriFiguresTest {
  private static final int CONTAINERS = 50;
  private static final String TELL = RealPod.TELL_CPUS + "; sleep 1000";

  /** Two looks of an agent that is told nothing, and what its updates take on a busy machine. */
  private static final double LONGEST_MEDIAN = 2_000;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOwnerIsSoonOnItsCpus(boolean current) throws Exception {
    long seed = 6;
    Random random = new Random(seed);
    System.out.println("seed " + seed);
    double[] afterStart = new double[CONTAINERS];
    double[] afterFirst = new double[CONTAINERS];
    try (RealContainerd containerd = current ? RealContainerd.current() : RealContainerd.old();
        CriClient client = CriClient.of(containerd.socket());
        RealAgent agent =
            RealAgent.start(
                folder, "--runtime", "cri", "--runtime-socket", containerd.socket().toString())) {
      Telltale sharing = Telltale.start(containerd, "web", QosClass.BEST_EFFORT);
      RealPod pod = containerd.pods().run("db", QosClass.GUARANTEED);
      for (int i = 0; i < CONTAINERS; i++) {
        sharing.await("0-1");
        RealAgent.await("calm", () -> agent.pod("db").isMissingNode());
        // Where a listing comes every second, a container may start at any time between two.
        Thread.sleep(random.nextInt(1_000));
        String name = "app" + i;
        String app = pod.start(name, Telltale.ONE_CPU, TELL);
        Instant started = Instant.now();
        Instant there = awaitPlace(client, app);
        pod.awaitLine(name, "Cpus_allowed_list:");
        boolean always = Telltale.told(pod, name).getFirst().equals("1");
        afterStart[i] = always ? 0 : milliseconds(started, there);
        afterFirst[i] = always ? 0 : milliseconds(pod.firstWritten(name), there);
        pod.stop(app);
        pod.remove(app);
      }
    }
    String how = current ? "with events" : "by listing";
    System.out.printf(
        "%s: %d of %d on their CPUs from the first instruction%n",
        how, Arrays.stream(afterFirst).filter(time -> time == 0).count(), CONTAINERS);
    System.out.println(Figures.line(how + ", after StartContainer returned", afterStart));
    System.out.println(Figures.line(how + ", after the first instruction", afterFirst));
    assertThat(Figures.percentile(afterFirst, 50)).isLessThan(LONGEST_MEDIAN);
  }

  private static Instant awaitPlace(CriClient client, String app) throws IOException {
    long pid = client.container(app).map(ContainerDetail::pid).orElseThrow().orElseThrow();
    // Not RealAgent.await, which looks too seldom.
    Instant end = Instant.now().plus(Duration.ofSeconds(30));
    while (!RealAgent.allowed(pid).toString().equals("1")) {
      if (Instant.now().isAfter(end)) {
        throw new AssertionError("waited in vain for " + app + " to be on its CPU");
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
    return Instant.now();
  }

  private static double milliseconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toNanos() / 1e6);
  }
}
