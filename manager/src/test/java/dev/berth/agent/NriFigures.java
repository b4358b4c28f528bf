package dev.berth.agent;

import dev.berth.protocols.nri.PodSandbox;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/** What an agent adds to the creation of a container. */
final class NriFigures {
  private static final int WARM = 1_000;
  private static final int CONTAINERS = 500;
  private static final int PAIRS = 200;
  private static final int UNCOUNTED = 20;

  private NriFigures() {}

  /** At a runtime that starts nothing: one owner comes and goes beside shared containers. */
  static void answers(Path folder) throws Exception {
    Path socket = folder.resolve("nri.sock");
    try (ModelRuntime runtime = new ModelRuntime(socket)) {
      CompletableFuture<Boolean> met = meeting(runtime);
      try (RealAgent agent = RealAgent.startByNri(folder, socket)) {
        met.join();
        long[] _ = churn(runtime, WARM);
        Figures.tellTimes("nri/answer", churn(runtime, CONTAINERS));
        System.err.println("behind them: " + Figures.Size.of(agent));
      }
    }
  }

  private static CompletableFuture<Boolean> meeting(ModelRuntime runtime) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        runtime.meet();
        return true;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
  }

  private static long[] churn(ModelRuntime runtime, int count) throws Exception {
    long[] times = new long[count];
    Deque<Held> there = new ArrayDeque<>();
    for (int i = 0; i < count; i++) {
      PodSandbox pod = runtime.pod("p" + i, i % 4 == 0 ? "guaranteed" : "burstable");
      long began = System.nanoTime();
      Held held = runtime.ask(pod, "app", 1);
      times[i] = System.nanoTime() - began;
      runtime.enter(held);
      there.addLast(held);
      if (there.size() >= 4) {
        runtime.removePod(there.removeFirst().podUid());
      }
    }
    for (Held held : there) {
      runtime.removePod(held.podUid());
    }
    return times;
  }

  /** Two runtimes, one of them with us, take turns; no disk makes them wait. */
  static void added(Path folder) throws Exception {
    try (RealContainerd with = RealContainerd.inMemory();
        RealContainerd without = RealContainerd.inMemory();
        RealAgent agent = RealAgent.startByNri(folder, with.nriSocket())) {
      for (int i = -UNCOUNTED; i < PAIRS; i++) {
        boolean first = i % 2 == 0;
        long one = creation(first ? with : without);
        long two = creation(first ? without : with);
        if (i >= 0) {
          long ours = first ? one : two;
          long others = first ? two : one;
          Figures.tellTimes("nri/with", ours);
          Figures.tellTimes("nri/without", others);
          Figures.tellTimes("nri/added", ours - others);
        }
      }
      if (!agent.isReady()) {
        throw new AssertionError("expected an agent that was asked all the time, found none");
      }
    }
  }

  private static long creation(RealContainerd containerd) throws IOException {
    RealPod pod = containerd.pods().run("figure", QosClass.GUARANTEED);
    long began = System.nanoTime();
    pod.create("app", Telltale.ONE_CPU, "sleep 1000");
    long took = System.nanoTime() - began;
    pod.remove();
    return took;
  }
}
