package dev.berth.deviceplugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.Device;
import dev.berth.testing.Clients;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Kubernetes project's own plugins register with us, live, die and come back. */
@Tag("slow")
class UpstreamPluginTest {
  private static final String SAMPLE = "example.com/resource";
  private static final String GPU = "vendor.example/gpu";

  /**
   * The sample knows one folder only; here that is ours, and nothing of this machine is touched.
   */
  private static final String OWN_MOUNTS =
      """
      mount --make-rprivate / && mount -t tmpfs none /var/lib && mount -t tmpfs none /run &&
      mkdir -p /var/lib/kubelet/device-plugins /run/cdi &&
      mount --bind "$1" /var/lib/kubelet/device-plugins &&
      cp "$2" /run/plugin && mount -t tmpfs none /tmp &&
      exec /run/plugin
      """;

  @TempDir private Path folder;
  private final Heard heard = new Heard();
  private final List<Process> started = new ArrayList<>();
  private DevicePlugins plugins;

  @BeforeEach
  void start() throws IOException {
    plugins = DevicePlugins.start(folder, heard, Patience.DEFAULT);
  }

  @AfterEach
  void close() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    plugins.close();
  }

  private Process run(String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CDI_ENABLED", "yes");
    Process process =
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    started.add(process);
    return process;
  }

  private Process sample() throws IOException, InterruptedException {
    String program = Clients.program("sample-device-plugin");
    Process probe =
        run("unshare", "-m", "sh", "-c", OWN_MOUNTS, "sh", folder.toString(), "/bin/true");
    Assumptions.assumeTrue(probe.waitFor() == 0, "no mount namespace of our own (needs root)");
    return run("unshare", "-m", "sh", "-c", OWN_MOUNTS, "sh", folder.toString(), program);
  }

  private static Device of(String id, boolean healthy) {
    return Device.of(SAMPLE, id).withHealth(healthy);
  }

  @Test
  void theSamplePluginIsListedAllocatesDiesAndIsStartedAgain() throws Exception {
    Process sample = sample();
    heard.awaitDevices(SAMPLE, of("Dev-1", true), of("Dev-2", true));
    assertThat(plugins.allocate(Map.of(SAMPLE, List.of("Dev-2"))))
        .isEqualTo(
            new Answer.Given<>(
                new Handover(
                    new TreeMap<>(),
                    List.of(new Handover.Mount("/tmp/Dev-2", "/tmp/Dev-2", false)),
                    List.of(),
                    List.of("example.com/resource=CDI-Dev-2"),
                    new TreeMap<>(),
                    List.of())));
    sample.destroyForcibly().waitFor();
    heard.awaitDevices(SAMPLE, of("Dev-1", false), of("Dev-2", false));
    Process again = sample();
    heard.awaitDevices(SAMPLE, of("Dev-1", true), of("Dev-2", true));
    assertThat(again.isAlive()).isTrue();
    assertThat(heard.registered()).containsExactly(SAMPLE, SAMPLE);
  }

  @Test
  void theSamplePluginComesBackByItselfAfterOurRestart() throws Exception {
    Process sample = sample();
    heard.awaitDevices(SAMPLE, of("Dev-1", true), of("Dev-2", true));
    plugins.close();
    Heard later = new Heard();
    plugins = DevicePlugins.start(folder, later, Patience.DEFAULT);
    later.awaitDevices(SAMPLE, of("Dev-1", true), of("Dev-2", true));
    assertThat(plugins.allocate(Map.of(SAMPLE, List.of("Dev-1")))).isInstanceOf(Answer.Given.class);
    assertThat(sample.isAlive()).isTrue();
  }

  @Test
  void devicesOnNodesFallIllAndRecover() throws Exception {
    Process plugin =
        run(Clients.program("deviceplugin"), folder.toString(), GPU, "gpu-0@0", "gpu-1@1+0");
    Device one = Device.of(GPU, "gpu-0", 0);
    Device two = Device.of(GPU, "gpu-1", 0, 1);
    heard.awaitDevices(GPU, one, two);
    OutputStream orders = plugin.getOutputStream();
    orders.write("gpu-1 Unhealthy\n".getBytes(UTF_8));
    orders.flush();
    heard.awaitDevices(GPU, one, two.withHealth(false));
    orders.write("gpu-1 Healthy\n".getBytes(UTF_8));
    orders.flush();
    heard.awaitDevices(GPU, one, two);
    assertThat(plugins.preferred(GPU, List.of("gpu-0", "gpu-1"), List.of(), 1))
        .isEqualTo(new Answer.Given<>(List.of("gpu-1")));
    assertThat(plugins.preStart(Map.of(GPU, List.of("gpu-1")))).isEmpty();
    assertThat(plugins.allocate(Map.of(GPU, List.of("gpu-1"))))
        .isEqualTo(
            new Answer.Given<>(
                new Handover(
                    new TreeMap<>(Map.of("DEVICES", "gpu-1")),
                    List.of(),
                    List.of(new Handover.DeviceNode("/dev/given", "/dev/null", "rw")),
                    List.of(),
                    new TreeMap<>(Map.of("devices", "gpu-1")),
                    List.of())));
    orders.close();
    heard.awaitDevices(GPU, one.withHealth(false), two.withHealth(false));
  }
}
