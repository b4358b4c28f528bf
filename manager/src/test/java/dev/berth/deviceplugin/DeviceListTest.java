package dev.berth.deviceplugin;

import static dev.berth.deviceplugin.FakePlugin.device;
import static dev.berth.deviceplugin.FakePlugin.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.Device;
import dev.berth.protocols.deviceplugin.ListAndWatchResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of devices that cannot be, or do not end. */
class DeviceListTest {
  private static final String GPU = "vendor.example/gpu";
  private static final String NIC = "vendor.example/nic";

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

  private FakePlugin gpu() throws IOException, InterruptedException {
    FakePlugin plugin = FakePlugin.start(folder, "gpu.sock", device("gpu-0", true, 0));
    plugin.register(GPU);
    heard.awaitDevices(GPU, Device.of(GPU, "gpu-0", 0));
    return plugin;
  }

  private void assertRefusedList(ListAndWatchResponse list, String line) throws Exception {
    try (FakePlugin bad = gpu();
        FakePlugin nic = FakePlugin.start(folder, "nic.sock", device("nic-0", true))) {
      nic.register(NIC);
      heard.awaitDevices(NIC, Device.of(NIC, "nic-0"));
      bad.say(list);
      heard.awaitDevices(GPU, Device.of(GPU, "gpu-0", 0).withHealth(false));
      assertThat(heard.log()).singleElement().asString().startsWith(line);
      nic.say(list(device("nic-1", true)));
      heard.awaitDevices(NIC, Device.of(NIC, "nic-1"));
    }
  }

  @Test
  void tooManyDevicesAreRefusedInALine() throws Exception {
    assertRefusedList(
        many(40_000),
        "device plugin of vendor.example/gpu: expected at most 32768 devices, found 40000");
  }

  @Test
  void farTooManyDevicesAreNotEvenRead() throws Exception {
    assertRefusedList(
        many(100_001),
        "device plugin of vendor.example/gpu: expected lists of devices, found"
            + " RESOURCE_EXHAUSTED: answer: more than 100000 parts");
  }

  private static ListAndWatchResponse many(int count) {
    ListAndWatchResponse.Builder many = ListAndWatchResponse.newBuilder();
    IntStream.range(0, count).forEach(i -> many.addDevices(device("d" + i, true)));
    return many.build();
  }

  @Test
  void aListOfTooManyBytesIsRefusedInALine() throws Exception {
    assertRefusedList(
        list(device("x".repeat(5 << 20), true)),
        "device plugin of vendor.example/gpu: expected lists of devices, found"
            + " RESOURCE_EXHAUSTED: gRPC message exceeds maximum size 4194304");
  }

  @Test
  void aDeviceThatComesTwiceIsRefusedInALine() throws Exception {
    assertRefusedList(
        list(device("a", true), device("a", false)),
        "device plugin of vendor.example/gpu: expected every device once, found a again");
  }

  @Test
  void aDeviceWithoutAnIdIsRefusedInALine() throws Exception {
    assertRefusedList(
        list(device("", true)),
        "device plugin of vendor.example/gpu: expected ids of devices, found \"\"");
  }

  @Test
  void aPluginThatFloodsIsHeardAtALeisurelyPace() throws Exception {
    try (FakePlugin flood = FakePlugin.start(folder, "flood.sock", device("d", true))) {
      flood.flood();
      flood.register("vendor.example/flood");
      heard.await(now -> now.lists() >= 20);
      long start = System.nanoTime();
      int before = heard.lists();
      try (FakePlugin gpu = gpu()) {
        assertThat(plugins.allocate(Map.of(GPU, List.of("gpu-0"))))
            .isInstanceOf(Answer.Given.class);
        assertThat(gpu.prepared).isEmpty();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      assertThat(heard.lists() - before).isLessThan((int) (10 * seconds) + 5);
    }
  }
}
