package dev.berth.agent;

import static dev.berth.agent.RealAgent.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubelet.NodeSettings;
import dev.berth.linux.ResumeLatency;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.start.RealIdleStates;
import dev.berth.topology.Machines;
import dev.berth.ttrpc.TtrpcException;
import dev.berth.workload.CpuWish;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * CPUs of this machine that stay awake for containers of a runtime, which starts none: what the
 * kernel has of two CPUs is real.
 */
@Tag("slow")
@ExtendWith(RealIdleStates.class)
class AwakeGuestsTest {
  private static final ResumeLatency KERNEL = ResumeLatency.here();

  @TempDir private Path folder;
  private final TreeMap<Integer, String> before = new TreeMap<>();

  @BeforeEach
  void rememberWhatTheMachineHas() throws IOException {
    RealIdleStates.assumeThere();
    for (int cpu = 0; cpu < 2; cpu++) {
      before.put(cpu, KERNEL.read(cpu));
      KERNEL.write(cpu, ResumeLatency.ANY);
    }
  }

  @AfterEach
  void putItBack() throws IOException {
    for (Map.Entry<Integer, String> one : before.entrySet()) {
      KERNEL.write(one.getKey(), one.getValue());
    }
  }

  private Agent started(ForeignRuntime.Kind kind) throws IOException {
    return PretendedAgent.startBeside(
        new ForeignRuntime(kind, folder.resolve("r.sock")),
        folder,
        Ground.fixed(Machines.parse("pack:1 node:1 l3:1 core:2 pu:1")),
        () -> NodeSettings.DEFAULTS,
        OutputStream.nullOutputStream());
  }

  private static void awaitAwake(String words) {
    await(words + " to be awake", () -> awake().equals(words));
  }

  private static String awake() throws IOException {
    return KERNEL.read(0) + " " + KERNEL.read(1);
  }

  private static PodSandbox asking(ModelRuntime runtime, String name, String word) {
    return runtime.pod(name, "guaranteed").toBuilder()
        .putAnnotations(CpuWish.AWAKE.annotation(), word)
        .build();
  }

  @Test
  void byNriTheyAreAwakeFromTheirCreationToTheirEnd() throws Exception {
    try (ModelRuntime runtime = new ModelRuntime(folder.resolve("r.sock"))) {
      Agent agent = started(ForeignRuntime.Kind.NRI);
      runtime.meet();
      Held db = runtime.create(asking(runtime, "db", "true"), "app", 1);
      String one = db.cpus().contains(0) ? "n/a 0" : "0 n/a";
      awaitAwake(one);
      runtime.leave();
      agent.close();
      assertThat(awake()).as("it runs on").isEqualTo(one);
      agent = started(ForeignRuntime.Kind.NRI);
      runtime.meet();
      assertThat(awake()).isEqualTo(one);
      runtime.removePod(db.podUid());
      awaitAwake("0 0");
      runtime.create(asking(runtime, "plain", "false"), "app", 1);
      agent.call(() -> true);
      assertThat(awake()).isEqualTo("0 0");
      agent.close();
    }
  }

  @Test
  void byNriAnotherWordIsRefused() throws Exception {
    try (ModelRuntime runtime = new ModelRuntime(folder.resolve("r.sock"));
        Agent agent = started(ForeignRuntime.Kind.NRI)) {
      runtime.meet();
      assertThat(agent.unready()).isEmpty();
      assertThatThrownBy(() -> runtime.create(asking(runtime, "db", "maybe"), "app", 1))
          .isInstanceOf(TtrpcException.class)
          .hasMessageContaining(
              "annotation cpus.berth.dev/awake: expected true or false, found \"maybe\"");
    }
  }

  @Test
  void byCriTheyAreAwakeOnceTheyAreSeen() throws Exception {
    try (ModelCri runtime = new ModelCri(folder.resolve("r.sock"), true)) {
      runtime.serve();
      runtime.annotate("db", CpuWish.AWAKE.annotation(), "true");
      try (Agent agent = started(ForeignRuntime.Kind.CRI)) {
        await("the runtime to be met", () -> agent.unready().isEmpty());
        runtime.start(runtime.create("db", "guaranteed", "app", 1));
        await("a CPU to be awake", () -> awake().contains("n/a"));
        runtime.removePod("db");
        awaitAwake("0 0");
      }
    }
  }
}
