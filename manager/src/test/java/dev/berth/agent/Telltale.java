package dev.berth.agent;

import dev.berth.cgroup.Placement;
import dev.berth.runtime.Asks;
import dev.berth.runtime.RealPod;
import dev.berth.runtime.RealRuntime;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.util.List;

/** A pod whose container "app" tells where it may run, first and whenever that changes. */
record Telltale(RealPod pod, String app) {
  /** Tells where it may run with its first instruction, and again whenever that changes. */
  static final String SCRIPT =
      "while true; do now=$(grep Cpus_allowed_list /proc/self/status);"
          + " [ \"$now\" = \"$before\" ] || echo \"$now\"; before=$now; sleep 0.05; done";

  private static final long MEMORY = 64 << 20;

  /** What makes a guaranteed container the owner of a CPU. */
  static final Asks ONE_CPU = Asks.limited(1_000, MEMORY);

  /** Starts one of a class: a guaranteed one asks for a CPU of its own. */
  static Telltale start(RealRuntime runtime, String name, QosClass qos) throws IOException {
    Asks asks =
        switch (qos) {
          case GUARANTEED -> ONE_CPU;
          case BURSTABLE -> new Asks(100, 500, MEMORY);
          case BEST_EFFORT -> Asks.NOTHING;
        };
    RealPod pod = runtime.pods().run(name, qos);
    return new Telltale(pod, pod.start("app", asks, SCRIPT));
  }

  /** Where a container has told it may run so far, the first first. */
  List<String> told() {
    return told(pod, "app");
  }

  static List<String> told(RealPod pod, String container) {
    try {
      return pod.log(container).stream()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until it is where it should be. */
  void await(String cpus) {
    awaitLast(pod, cpus);
  }

  static void awaitLast(RealPod pod, String cpus) {
    RealAgent.await(
        "the container to be on " + cpus,
        () -> {
          List<String> told = told(pod, "app");
          return !told.isEmpty() && told.getLast().equals(cpus);
        });
  }

  /** The quota that the kernel has for the container's process, once the agent knows that. */
  static long quota(RealAgent agent, String pod) throws IOException {
    RealAgent.await("its process", () -> agent.container(pod, "app").path("pid").asLong() > 0);
    long pid = agent.container(pod, "app").path("pid").asLong();
    return Placement.Finder.here().quota(pid).orElseThrow();
  }
}
