package dev.berth.deviceplugin;

import static dev.berth.deviceplugin.FakePlugin.device;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A plugin that is connected and answers nothing. */
class StalledPluginTest {
  private static final String GPU = "vendor.example/gpu";
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(1_500);
  private static final Map<String, List<String>> IDS = Map.of(GPU, List.of("gpu-1"));

  @TempDir private Path folder;
  private final Heard heard = new Heard();
  private DevicePlugins plugins;
  private FakePlugin plugin;

  @BeforeEach
  void start() throws Exception {
    plugins = DevicePlugins.start(folder, heard, new Patience(LONG, SHORT, LONG, LONG, LONG));
    plugin = FakePlugin.start(folder, "gpu.sock", device("gpu-0", true), device("gpu-1", true));
    plugin.register(GPU);
    heard.awaitDevices(GPU, Device.of(GPU, "gpu-0"), Device.of(GPU, "gpu-1"));
  }

  @AfterEach
  void close() throws IOException {
    plugin.close();
    plugins.close();
  }

  private Answer<List<String>> advice() {
    return plugins.preferred(GPU, List.of("gpu-0", "gpu-1"), List.of(), 1);
  }

  private void stall() {
    plugin.hang();
    assertThat(advice()).isEqualTo(new Answer.Given<>(List.of()));
    for (int pod = 0; pod < 5; pod++) {
      assertThat(advice()).isEqualTo(new Answer.Given<>(List.of()));
    }
    assertThat(plugin.advised()).isEqualTo(1);
    plugin.goOn();
  }

  @Test
  void itsAdviceIsWaitedForOnceAndAskedForAgainAfterItHasListed() throws Exception {
    stall();
    plugin.say(FakePlugin.list(device("gpu-1", true)));
    heard.awaitDevices(GPU, Device.of(GPU, "gpu-1"));
    assertThat(advice()).isEqualTo(new Answer.Given<>(List.of("gpu-1")));
  }

  @Test
  void itsAdviceIsAskedForAgainAfterItHasAnswered() {
    stall();
    assertThat(plugins.allocate(IDS)).isInstanceOf(Answer.Given.class);
    assertThat(advice()).isEqualTo(new Answer.Given<>(List.of("gpu-1")));
  }

  @Test
  @Timeout(60)
  void anErrandEndsHoweverLongThePatience() {
    plugin.hang();
    Errand errand = Errand.within(SHORT);
    assertThat(errand.call(() -> plugins.allocate(IDS))).isInstanceOf(Answer.Refused.class);
    assertThat(errand.call(() -> plugins.preStart(IDS))).isPresent();
    plugin.goOn();
    assertThat(errand.call(() -> plugins.preStart(IDS))).as("its time is over").isPresent();
    assertThat(plugins.preStart(IDS)).isEmpty();
  }
}
