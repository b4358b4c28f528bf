package dev.berth.agent;

import static dev.berth.deviceplugin.FakePlugin.device;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.deviceplugin.FakePlugin;
import dev.berth.guest.GuestRequest;
import dev.berth.kubelet.NodeSettings;
import dev.berth.protocols.deviceplugin.DevicePluginOptions;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.topology.Machines;
import dev.berth.ttrpc.TtrpcException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices of containers of a runtime that starts nothing, with plugins that come, hang and go. */
class GuestDevicesTest {
  private static final String GPU = "vendor.example/gpu";
  private static final String NONE =
      "device plugin of vendor.example/gpu: expected one that is connected, found none";

  /** So long a runtime waits for a plugin of its own. */
  private static final Duration RUNTIMES_PATIENCE = Duration.ofSeconds(2);

  @TempDir private Path folder;
  private ModelRuntime runtime;
  private Agent agent;

  @BeforeEach
  void start() throws Exception {
    runtime = new ModelRuntime(folder.resolve("nri.sock"));
    startAgent();
  }

  private void startAgent() throws Exception {
    String settings =
        """
        berth:
          devicePlugins: %s
          devices: [{resource: vendor.example/nic, id: nic-0}]
        """
            .formatted(folder.resolve("p"));
    agent =
        PretendedAgent.startBeside(
            new ForeignRuntime(ForeignRuntime.Kind.NRI, folder.resolve("nri.sock")),
            folder,
            Ground.fixed(Machines.parse("pack:2 node:1 l3:2 core:2 pu:2")),
            () -> NodeSettings.read("berth.yaml", settings, List.of()),
            OutputStream.nullOutputStream());
    runtime.meet();
  }

  @AfterEach
  void stop() throws IOException {
    agent.close();
    runtime.close();
  }

  private PodSandbox pod(String name, String asks) {
    return runtime.pod(name, "guaranteed").toBuilder()
        .putAnnotations(GuestRequest.ANNOTATION + "app", asks)
        .build();
  }

  private FakePlugin plugin() throws IOException {
    return registered(
        FakePlugin.start(
            folder.resolve("p"), "gpu.sock", device("gpu-0", true), device("gpu-1", true)));
  }

  /** One that is not asked before a start. */
  private FakePlugin simplePlugin() throws IOException {
    return registered(
        FakePlugin.start(
            folder.resolve("p"),
            "gpu.sock",
            DevicePluginOptions.getDefaultInstance(),
            device("gpu-0", true)));
  }

  private FakePlugin registered(FakePlugin plugin) {
    plugin.register(GPU);
    RealAgent.await(
        "its devices",
        () ->
            agent.call(
                () -> agent.node().devices().stream().anyMatch(one -> one.resource().equals(GPU))));
    return plugin;
  }

  private void assertRefused(PodSandbox pod, String line) {
    assertThatThrownBy(() -> runtime.create(pod, "app", 2))
        .isInstanceOf(TtrpcException.class)
        .hasMessageContaining("berth: " + pod.getName() + "/app: UnexpectedAdmissionError: ")
        .hasMessageContaining(line);
  }

  private void assertNothingKept(PodSandbox pod) {
    String uid = pod.getUid() + "/app";
    RealAgent.await(
        "its CPUs to be free", () -> agent.call(() -> agent.node().cpusOf(uid, "app").isEmpty()));
  }

  @Test
  void whatNobodyHasIsRefusedAndTheSettingsOwnIsGiven() throws Exception {
    assertRefused(pod("train", GPU + "=1"), NONE);
    assertNothingKept(pod("train", ""));
    Held held = runtime.create(pod("net", "vendor.example/nic=1"), "app", 2);
    assertThat(held.cpus().size()).isEqualTo(2);
  }

  @Test
  void afterARestartNobodyStartsWithoutTheDeviceItHasAndKeeps() throws Exception {
    PodSandbox train = pod("train", GPU + "=1");
    CpuSet cpus;
    try (FakePlugin _ = plugin()) {
      Held held = runtime.create(train, "app", 2);
      cpus = held.cpus();
      runtime.stop(held);
    }
    runtime.leave();
    agent.close();
    startAgent();
    assertThat(agent.call(() -> agent.node().deviceAssignments().of("uid-train/app", "app")))
        .containsKey(GPU);
    assertRefused(train, NONE);
    assertThat(runtime.create(runtime.pod("other", "guaranteed"), "app", 8).cpus().intersects(cpus))
        .isFalse();
    assertThat(agent.call(() -> agent.node().deviceAssignments().of("uid-train/app", "app")))
        .containsKey(GPU);
    try (FakePlugin _ = plugin()) {
      assertThat(runtime.create(train, "app", 2).cpus()).isEqualTo(cpus);
    }
  }

  @Test
  void whoWasHandedADeviceStartsAgainWithItThoughThePluginIsAway() throws Exception {
    PodSandbox train = pod("train", GPU + "=1");
    Held held;
    try (FakePlugin _ = simplePlugin()) {
      held = runtime.create(train, "app", 2);
      runtime.stop(held);
    }
    RealAgent.await(
        "its devices to be ill",
        () -> agent.call(() -> agent.node().devices().stream().anyMatch(one -> !one.healthy())));
    assertThat(runtime.create(train, "app", 2).cpus()).isEqualTo(held.cpus());
  }

  @Test
  void whoCameWhileNobodyLookedHasNoDeviceUntilItIsCreatedAnew() throws Exception {
    PodSandbox train = pod("train", GPU + "=1,vendor.example/nic=1");
    try (FakePlugin _ = plugin()) {
      runtime.leave();
      Held late = runtime.create(train, "app", 2);
      runtime.meet();
      assertThat(agent.call(() -> agent.node().deviceAssignments().of("uid-train/app", "app")))
          .as("what no plugin hands on is its own all the same")
          .containsOnlyKeys("vendor.example/nic");
      assertThat(agent.call(() -> agent.node().cpusOf("uid-train/app", "app"))).isPresent();
      assertThat(agent.events().after(0))
          .anyMatch(event ->
              event.kind().equals("warning")
                  && event.message().startsWith("app: " + GPU + ": it runs without"));
      runtime.stop(late);
      runtime.create(train, "app", 2);
      assertThat(agent.call(() -> agent.node().deviceAssignments().of("uid-train/app", "app")))
          .containsOnlyKeys(GPU, "vendor.example/nic");
    }
  }

  @Test
  @Tag("slow")
  void aStalledPluginCostsLessThanTheRuntimeWaits() throws Exception {
    try (FakePlugin plugin = plugin()) {
      plugin.hang();
      for (int attempt = 0; attempt < 3; attempt++) {
        long began = System.nanoTime();
        assertRefused(pod("later", GPU + "=1"), "expected an allocation, found ");
        assertNothingKept(pod("later", ""));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(RUNTIMES_PATIENCE);
      }
      assertThat(plugin.advised()).isEqualTo(1);
      plugin.goOn();
      assertThat(runtime.create(pod("later", GPU + "=1"), "app", 2).cpus().size()).isEqualTo(2);
    }
  }
}
