package dev.berth.deviceplugin;

import static dev.berth.deviceplugin.FakePlugin.device;
import static dev.berth.deviceplugin.FakePlugin.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Device;
import dev.berth.ledger.Node;
import dev.berth.protocols.deviceplugin.DevicePluginOptions;
import dev.berth.protocols.deviceplugin.Mount;
import dev.berth.protocols.deviceplugin.RegisterRequest;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevicePluginsTest {
  private static final String GPU = "vendor.example/gpu";
  private static final String NIC = "vendor.example/nic";
  private static final Duration LONG = Duration.ofMinutes(5);

  /** Impatient where a test makes a plugin hang; long where it does not. */
  private static final Patience IMPATIENT =
      new Patience(
          Duration.ofSeconds(20),
          Duration.ofMillis(1_500),
          Duration.ofMillis(1_500),
          Duration.ofMillis(1_500),
          LONG);

  @TempDir private Path folder;
  private final Heard heard = new Heard();
  private DevicePlugins plugins;

  @BeforeEach
  void start() throws IOException {
    plugins = DevicePlugins.start(folder, heard, Patience.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    plugins.close();
  }

  private void restart(Patience patience) throws IOException {
    plugins.close();
    plugins = DevicePlugins.start(folder, heard, patience);
  }

  private FakePlugin gpus() throws IOException, InterruptedException {
    FakePlugin plugin =
        FakePlugin.start(folder, "gpu.sock", device("gpu-0", true, 0), device("gpu-1", true, 1));
    plugin.register(GPU);
    heard.awaitDevices(GPU, Device.of(GPU, "gpu-0", 0), Device.of(GPU, "gpu-1", 1));
    return plugin;
  }

  private static Device ill(String id, int... nodes) {
    return Device.of(GPU, id, nodes).withHealth(false);
  }

  @Test
  void devicesAreToldWithTheirNodesAndHealth() throws Exception {
    try (FakePlugin plugin = gpus()) {
      plugin.say(list(device("gpu-0", false, 0), device("gpu-1", true, 1, 0, -1, 99_999)));
      heard.awaitDevices(GPU, ill("gpu-0", 0), Device.of(GPU, "gpu-1", 0, 1));
      assertThat(plugins.devices()).containsOnlyKeys(GPU);
      assertThat(heard.registered()).containsExactly(GPU);
      assertThat(heard.log()).isEmpty();
    }
  }

  @Test
  void staleSocketsMakeWayAndOtherFilesStay() throws IOException {
    Path socket = folder.resolve("old.sock");
    try (ServerSocketChannel old = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      old.bind(UnixDomainSocketAddress.of(socket));
      Files.writeString(folder.resolve("kubelet_internal_checkpoint"), "{}");
      restart(Patience.DEFAULT);
    }
    assertThat(socket).doesNotExist();
    assertThat(folder.resolve("kubelet_internal_checkpoint")).exists();
    assertThat(folder.resolve(DevicePlugins.SOCKET)).exists();
  }

  @Test
  void aPluginThatEndsLeavesItsDevicesIllUntilTheGraceIsOver() throws Exception {
    restart(new Patience(LONG, LONG, LONG, LONG, Duration.ofMillis(300)));
    gpus().close();
    heard.awaitDevices(GPU, ill("gpu-0", 0), ill("gpu-1", 1));
    assertThat(heard.log()).hasSize(1);
    assertThat(heard.log().getFirst())
        .startsWith("device plugin of vendor.example/gpu: expected lists of devices, found ");
    heard.await(now -> now.gone().equals(List.of(GPU)));
    assertThat(plugins.devices()).isEmpty();
  }

  @Test
  void aPluginThatEndsItsListIsAsIllAsOneThatDies() throws Exception {
    try (FakePlugin plugin = gpus()) {
      plugin.endList();
      heard.awaitDevices(GPU, ill("gpu-0", 0), ill("gpu-1", 1));
      assertThat(heard.log())
          .containsExactly("device plugin of vendor.example/gpu has ended its list of devices");
      assertThat(plugins.allocate(Map.of(GPU, List.of("gpu-0"))))
          .isEqualTo(
              new Answer.Refused<Handover>(
                  "device plugin of vendor.example/gpu: expected one that is connected, found"
                      + " none"));
    }
  }

  @Test
  void aPluginThatComesBackWithinTheGraceIsWellAgain() throws Exception {
    gpus().close();
    heard.awaitDevices(GPU, ill("gpu-0", 0), ill("gpu-1", 1));
    try (FakePlugin again = gpus()) {
      assertThat(again.prepared).isEmpty();
      assertThat(heard.gone()).isEmpty();
      assertThat(heard.registered()).containsExactly(GPU, GPU);
    }
  }

  @Test
  void aSecondPluginOfAResourceTakesTheFirstOnesPlaceWithoutAGap() throws Exception {
    try (FakePlugin first = gpus();
        FakePlugin second = FakePlugin.start(folder, "new.sock", device("gpu-7", true))) {
      second.register(GPU);
      heard.awaitDevices(GPU, Device.of(GPU, "gpu-7"));
      first.die();
      second.say(list(device("gpu-8", true)));
      heard.awaitDevices(GPU, Device.of(GPU, "gpu-8"));
      assertThat(heard.lists()).isEqualTo(3);
      assertThat(heard.log()).isEmpty();
    }
  }

  @Test
  void allocationsOfSeveralResourcesAreOneHandover() throws Exception {
    try (FakePlugin gpu = gpus();
        FakePlugin nic = FakePlugin.start(folder, "nic.sock", device("nic-0", true))) {
      nic.register(NIC);
      heard.awaitDevices(NIC, Device.of(NIC, "nic-0"));
      gpu.handsOn(answer ->
          answer.addMounts(
              Mount.newBuilder().setContainerPath("/dev/gpu").setHostPath("/dev/gpu1")));
      nic.handsOn(answer -> answer.clearEnvs().putEnvs("NIC", "0").putEnvs("DEVICES", "none"));
      Handover handover =
          new Handover(
              new TreeMap<>(Map.of("DEVICES", "gpu-1", "NIC", "0")),
              List.of(new Handover.Mount("/dev/gpu", "/dev/gpu1", false)),
              List.of(),
              List.of(),
              new TreeMap<>(),
              List.of(
                  "variable DEVICES: vendor.example/nic wants it differently than a resource"
                      + " before it, which holds"));
      assertThat(plugins.allocate(Map.of(NIC, List.of("nic-0"), GPU, List.of("gpu-1"))))
          .isEqualTo(new Answer.Given<>(handover));
      assertThat(heard.allocated()).containsExactly(GPU, NIC);
    }
  }

  @Test
  void aPluginThatHangsGivesALineAndOthersGoOn() throws Exception {
    restart(IMPATIENT);
    try (FakePlugin gpu = gpus();
        FakePlugin nic = FakePlugin.start(folder, "nic.sock", device("nic-0", true))) {
      nic.register(NIC);
      heard.awaitDevices(NIC, Device.of(NIC, "nic-0"));
      gpu.hang();
      assertThat(plugins.preferred(GPU, List.of("gpu-0"), List.of(), 1))
          .isEqualTo(new Answer.Given<>(List.of()));
      assertThat(heard.log())
          .last()
          .asString()
          .startsWith("device plugin of vendor.example/gpu: expected advice, found DEADLINE")
          .endsWith("; devices are chosen without it");
      assertThat(line(plugins.allocate(Map.of(GPU, List.of("gpu-0")))))
          .startsWith(
              "device plugin of vendor.example/gpu: expected an allocation, found DEADLINE");
      assertThat(plugins.preStart(Map.of(GPU, List.of("gpu-0"))).orElseThrow())
          .startsWith("device plugin of vendor.example/gpu: expected readiness for a start, found");
      assertThat(plugins.preStart(Map.of(NIC, List.of("nic-0")))).isEmpty();
      assertThat(nic.prepared).containsExactly(List.of("nic-0"));
    }
  }

  private static <T> String line(Answer<T> answer) {
    return switch (answer) {
      case Answer.Given<T>(T value) -> throw new AssertionError("given " + value);
      case Answer.Refused<T>(String line) -> line;
    };
  }

  @Test
  void aPluginThatAnswersNonsenseGivesALine() throws Exception {
    try (FakePlugin gpu = gpus()) {
      gpu.handsOn(answer -> answer.putEnvs("A=B", ""));
      assertThat(line(plugins.allocate(Map.of(GPU, List.of("gpu-0")))))
          .isEqualTo(
              "device plugin of vendor.example/gpu: expected a variable that a container can have,"
                  + " found \"A=B\"");
    }
  }

  @Test
  void onlyPluginsThatAskForItAreAskedBeforeAStartAndForAdvice() throws Exception {
    DevicePluginOptions none = DevicePluginOptions.getDefaultInstance();
    try (FakePlugin plugin = FakePlugin.start(folder, "gpu.sock", none, device("gpu-0", true))) {
      plugin.register(GPU);
      heard.awaitDevices(GPU, Device.of(GPU, "gpu-0"));
      plugin.hang();
      assertThat(plugins.preStart(Map.of(GPU, List.of("gpu-0")))).isEmpty();
      assertThat(plugin.prepared).isEmpty();
      assertThat(plugins.preferred(GPU, List.of("gpu-0"), List.of(), 1))
          .isEqualTo(new Answer.Given<>(List.of()));
    }
  }

  private static Pod gpuPod(int count) {
    Map<String, Quantity> limits = Map.of(GPU, Quantity.of(count));
    return Pod.of(
        "pod", List.of(new Container("app", Container.Role.APP, Resources.guaranteed(limits))));
  }

  @Test
  void theLedgerTakesThePluginsAdvice() throws Exception {
    Node node = Node.start(Machines.parse("pack:1 core:4 pu:1"), Configuration.DEFAULTS);
    try (FakePlugin plugin = gpus()) {
      assertThat(plugin.prepared).isEmpty();
      node.devices(GPU, heard.of(GPU));
      node.prefer(GPU, plugins.preference(GPU));
      assertThat(node.admit(gpuPod(1))).isInstanceOf(Decision.Granted.class);
      assertThat(node.deviceAssignments().of("pod", "app")).containsEntry(GPU, List.of("gpu-1"));
    }
  }

  @Test
  void aPodIsLetInWhereThePluginGivesNoAdviceInTime() throws Exception {
    restart(IMPATIENT);
    Node node = Node.start(Machines.parse("pack:1 core:4 pu:1"), Configuration.DEFAULTS);
    try (FakePlugin plugin = gpus()) {
      node.devices(GPU, heard.of(GPU));
      node.prefer(GPU, plugins.preference(GPU));
      plugin.hang();
      assertThat(node.admit(gpuPod(1))).isInstanceOf(Decision.Granted.class);
      assertThat(node.deviceAssignments().of("pod", "app")).containsEntry(GPU, List.of("gpu-0"));
    }
  }

  @Test
  void aPodIsRefusedWhereThePluginRefusesAdvice() throws Exception {
    Node node = Node.start(Machines.parse("pack:1 core:4 pu:1"), Configuration.DEFAULTS);
    try (FakePlugin plugin = gpus()) {
      node.devices(GPU, heard.of(GPU));
      node.prefer(GPU, plugins.preference(GPU));
      plugin.refuseAdvice();
      assertThat(node.admit(gpuPod(1)))
          .isInstanceOfSatisfying(
              Decision.Refused.class,
              refused ->
                  assertThat(refused.message())
                      .contains(
                          "device plugin of vendor.example/gpu: expected advice, found INTERNAL"));
    }
  }

  private void assertRefused(RegisterRequest request, String line) {
    assertThatThrownBy(() -> FakePlugin.register(folder, request))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageStartingWith("UNKNOWN: " + line);
    assertThat(heard.log()).singleElement().asString().startsWith(line);
    assertThat(plugins.devices()).isEmpty();
  }

  @Test
  void whatCannotRegisterIsToldWhy() {
    assertRefused(
        RegisterRequest.newBuilder().setVersion("v1alpha").build(),
        "device plugin's version: expected v1beta1, found \"v1alpha\"");
  }

  @Test
  void aPluginThatCannotBeReachedIsToldSo() throws IOException {
    restart(new Patience(Duration.ofMillis(300), LONG, LONG, LONG, LONG));
    assertRefused(
        RegisterRequest.newBuilder()
            .setVersion("v1beta1")
            .setResourceName(GPU)
            .setEndpoint("nobody.sock")
            .build(),
        "device plugin of vendor.example/gpu: expected its options, found DEADLINE_EXCEEDED");
  }

  @Test
  void onceClosedNobodyIsToldAnythingMore() throws Exception {
    FakePlugin plugin = gpus();
    plugins.close();
    plugin.close();
    assertThat(heard.of(GPU)).allMatch(Device::healthy);
    assertThat(heard.log()).isEmpty();
    assertThat(folder.resolve(DevicePlugins.SOCKET)).doesNotExist();
  }
}
