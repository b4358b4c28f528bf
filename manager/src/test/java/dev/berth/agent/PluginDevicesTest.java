package dev.berth.agent;

import static dev.berth.deviceplugin.FakePlugin.device;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.state.StateFolder;
import dev.berth.deviceplugin.Answer;
import dev.berth.deviceplugin.FakePlugin;
import dev.berth.deviceplugin.Handover;
import dev.berth.explain.Objections;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Device;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a container's devices, with and without the plugins that have them. */
class PluginDevicesTest {
  private static final String GPU = "vendor.example/gpu";
  private static final String NONE =
      "device plugin of vendor.example/gpu: expected one that is connected, found none";
  private static final SortedMap<String, List<String>> FIRST = ids("gpu-0");

  @TempDir private Path folder;
  private Loop loop;
  private StateFolder state;
  private Books books;
  private PluginDevices devices;
  private volatile List<Device> own = List.of();

  @BeforeEach
  void start() throws IOException {
    loop =
        new Loop(fault -> {
          throw fault;
        });
    state = StateFolder.open(folder.resolve("state"));
    Metrics metrics = new Metrics("test");
    Node node = Node.builder(Machines.parse("pack:1 core:4 pu:1"), Configuration.DEFAULTS).start();
    state.settled("boot", node, Map.of());
    books = new Books(node, state, metrics, false, loop, (_, _) -> {});
    devices = new PluginDevices(loop, books, metrics, _ -> {}, () -> {}, () -> own);
  }

  @AfterEach
  void end() throws IOException {
    devices.close();
    loop.close();
    state.close();
  }

  private static SortedMap<String, List<String>> ids(String... ids) {
    return new TreeMap<>(Map.of(GPU, List.of(ids)));
  }

  private static Pod pod(Map<String, Quantity> limits) {
    return Pod.of(
        "u1", List.of(new Container("app", Container.Role.APP, Resources.guaranteed(limits))));
  }

  private Answer<Handover> handover(SortedMap<String, List<String>> ids) {
    return devices.handover(pod(Map.of(GPU, Quantity.of(1))), "app", ids);
  }

  private void assertRefused() {
    assertThat(handover(FIRST)).isEqualTo(new Answer.Refused<>(NONE));
    assertThat(devices.preStart(FIRST)).contains(NONE);
  }

  private FakePlugin plugin() throws IOException {
    FakePlugin plugin =
        FakePlugin.start(
            folder.resolve("p"), "gpu.sock", device("gpu-0", true), device("gpu-1", true));
    plugin.register(GPU);
    RealAgent.await("its devices", () -> loop.call(() -> books.node().devices().size() == 2));
    return plugin;
  }

  private static Map<String, String> environment(Answer<Handover> answer) {
    return answer instanceof Answer.Given<Handover>(Handover handover)
        ? handover.environment()
        : Map.of("refused", answer.toString());
  }

  @Test
  void whatBecomesOfDevicesIsToldInTheStory() throws Exception {
    devices.open(folder.resolve("p"), true);
    try (FakePlugin plugin = plugin()) {
      awaitTold("came gpu-0, gpu-1");
      plugin.say(device("gpu-0", false));
      awaitTold("gone gpu-1; unhealthy gpu-0");
      plugin.say(device("gpu-0", true));
      awaitTold("healthy again gpu-0");
    }
    awaitTold("unhealthy gpu-0");
  }

  private void awaitTold(String news) throws Exception {
    String step = "\"message\":\"devices of vendor.example/gpu: " + news + "\"";
    RealAgent.await(
        news,
        () ->
            books.chronicle().snapshot().entries().stream()
                .anyMatch(entry -> entry.json().contains(step)));
  }

  @Test
  void aDeviceIsHandedOnByAConnectedPluginOrNotAtAll() throws Exception {
    assertRefused();
    devices.open(folder.resolve("p"), true);
    assertRefused();
    try (FakePlugin _ = plugin()) {
      assertThat(environment(handover(FIRST))).containsEntry("DEVICES", "gpu-0");
      assertThat(devices.preStart(FIRST)).isEmpty();
    }
    devices.forget("u1");
    RealAgent.await(
        "the plugin's end", () -> handover(FIRST).equals(new Answer.Refused<Handover>(NONE)));
    assertThat(devices.preStart(FIRST)).contains(NONE);
  }

  @Test
  void theSettingsOwnDevicesNeedNoPlugin() throws Exception {
    own = List.of(Device.of(GPU, "gpu-0"));
    assertThat(handover(FIRST)).isEqualTo(new Answer.Given<>(Handover.NONE));
    assertThat(devices.preStart(FIRST)).isEmpty();
    assertThat(handover(ids("gpu-0", "gpu-1"))).isEqualTo(new Answer.Refused<>(NONE));
    own = List.of(Device.of("vendor.example/nic", "gpu-0"));
    assertRefused();
  }

  @Test
  void whoAskedForADeviceAndWasGivenNoneIsRefused() {
    assertThat(handover(new TreeMap<>())).isEqualTo(new Answer.Refused<>(NONE));
    Pod others =
        pod(Map.of("cpu", Quantity.of(1), "hugepages-2Mi", Quantity.of(1), GPU, Quantity.ZERO));
    assertThat(devices.handover(others, "app", new TreeMap<>()))
        .isEqualTo(new Answer.Given<>(Handover.NONE));
  }

  @Test
  void whatWasHandedOnIsForItsDevicesOnly() throws Exception {
    devices.open(folder.resolve("p"), true);
    try (FakePlugin plugin = plugin()) {
      SortedMap<String, List<String>> ids = admitted();
      assertThat(ids).isEqualTo(ids("gpu-1"));
      assertThat(environment(handover(ids))).containsEntry("DEVICES", "gpu-1");
      assertThat(environment(remembered(ids))).containsEntry("DEVICES", "gpu-1");
      plugin.hang();
      assertThat(environment(handover(ids))).as("asked once").containsEntry("DEVICES", "gpu-1");
      plugin.goOn();
      assertThat(environment(handover(FIRST))).containsEntry("DEVICES", "gpu-0");
      assertThat(remembered(FIRST)).as("not its own").isEqualTo(new Answer.Refused<>(NONE));
    }
  }

  @Test
  void whatComesAfterAPodHasLeftIsNotKept() throws Exception {
    devices.open(folder.resolve("p"), true);
    try (FakePlugin plugin = plugin()) {
      SortedMap<String, List<String>> ids = admitted();
      plugin.hangAt(FakePlugin.Call.ALLOCATE);
      CompletableFuture<Answer<Handover>> answer =
          CompletableFuture.supplyAsync(() -> handover(ids));
      RealAgent.await("the question", () -> plugin.unanswered() == 1);
      loop.call(() -> {
        books.removed("u1");
        devices.forget("u1");
        return true;
      });
      plugin.answerLate();
      assertThat(environment(answer.get())).containsKey("DEVICES");
      assertThat(remembered(ids)).isEqualTo(new Answer.Refused<>(NONE));
    }
  }

  /** The devices of a pod that the ledger has let in. */
  private SortedMap<String, List<String>> admitted() {
    return loop.call(() -> {
      Pod pod = pod(Map.of(GPU, Quantity.of(1)));
      assertThat(books.admit(pod, "{}", false, Objections.NONE))
          .isInstanceOf(Books.Verdict.In.class);
      return books.node().deviceAssignments().of("u1", "app");
    });
  }

  private Answer<Handover> remembered(SortedMap<String, List<String>> ids) {
    return loop.call(() -> devices.remembered("u1", "app", ids));
  }
}
