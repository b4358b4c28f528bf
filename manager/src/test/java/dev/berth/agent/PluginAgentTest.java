package dev.berth.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.deviceplugin.FakePlugin;
import dev.berth.guest.GuestRequest;
import dev.berth.linux.Posix;
import dev.berth.protocols.deviceplugin.CDIDevice;
import dev.berth.protocols.deviceplugin.Mount;
import dev.berth.runtime.Asks;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.testing.Clients;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Devices of a plugin reach containers, and Kubernetes' own client is told who has them. */
@Tag("slow")
class PluginAgentTest {
  private static final String GPU = "vendor.example/gpu";
  private static final Asks ONE_CPU = Asks.limited(1_000, 64 << 20);

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void configure() throws IOException {
    Files.createDirectories(folder.resolve("plugins"));
    Files.writeString(
        folder.resolve("berth.yaml"),
        """
        berth:
          devicePlugins: %s
          podResources: %s
        """
            .formatted(folder.resolve("plugins"), podResources()));
  }

  private Path podResources() {
    return folder.resolve("resources/kubelet.sock");
  }

  @AfterEach
  void end() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private Process plugin(String... devices) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Clients.program("deviceplugin"));
    command.add(folder.resolve("plugins").toString());
    command.add(GPU);
    command.addAll(List.of(devices));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    started.add(process);
    return process;
  }

  private JsonNode resourcesOf(String pod) throws IOException {
    return new ObjectMapper().readTree(told("get", "default", pod));
  }

  /** What Kubernetes' own client is told. */
  private String told(String... question) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Clients.program("podresources"));
    command.add(podResources().toString());
    command.addAll(List.of(question));
    Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
    String answer = new String(client.getInputStream().readAllBytes(), UTF_8);
    assertThat(client.onExit().join().exitValue()).as(answer).isZero();
    return answer;
  }

  /** A plugin has registered before it has told what it has. */
  private void awaitDevices(RealAgent agent) throws IOException {
    RealAgent.await("the plugin's devices", () -> told("allocatable").contains(GPU));
    assertThat(agent.ask("GET", "/metrics", ""))
        .contains("kubelet_device_plugin_registration_total{resource_name=\"" + GPU)
        .contains("berth_devices{resource=\"" + GPU + "\",health=\"healthy\"} ");
  }

  @Test
  void aPodOfOurOwnHasItsDeviceAndOthersAreTold() throws Exception {
    try (RealAgent agent =
        RealAgent.start(folder, "--config", folder.resolve("berth.yaml").toString())) {
      Process plugin = plugin("gpu-0@0", "gpu-1@0");
      awaitDevices(agent);
      String asks = "{limits: {cpu: 1, memory: 64Mi, vendor.example/gpu: 2}}";
      JsonNode applied = agent.apply(RealAgent.pod("train", asks, "sh", "-c", "env; sleep 1000"));
      assertThat(applied.path(0).path("outcome").asString()).isEqualTo("admitted");
      RealAgent.await(
          "its environment",
          () -> agent.ask("GET", "/log/train", "").contains("DEVICES=gpu-0,gpu-1"));
      JsonNode container = resourcesOf("train").path("podResources").path("containers").path(0);
      assertThat(container.path("cpuIds").path(0).asString()).isEqualTo("1");
      assertThat(container.path("devices").toString()).contains("gpu-0", "gpu-1", GPU);
      String more = "{limits: {cpu: 10m, vendor.example/gpu: 1}}";
      JsonNode refused = agent.apply(RealAgent.pod("more", more, "true")).path(0);
      assertThat(refused.path("outcome").asString()).isEqualTo("refused");
      assertThat(refused.path("message").asString()).contains(GPU);
      agent.kill();
      agent.startAgain();
      assertThat(resourcesOf("train").toString()).contains("gpu-0", "gpu-1");
      awaitDevices(agent);
      agent.remove("train");
      plugin.destroyForcibly().waitFor();
      RealAgent.await(
          "the plugin's end to be noticed",
          () ->
              agent
                  .apply(RealAgent.pod("late", more, "true"))
                  .path(0)
                  .path("outcome")
                  .asString()
                  .equals("refused"));
      assertThat(agent.ask("GET", "/metrics", ""))
          .contains("kubelet_pod_resources_endpoint_requests_get{server_api_version=\"v1\"} 1\n")
          .containsPattern(
              "kubelet_pod_resources_endpoint_requests_total\\{server_api_version=\"v1\"} [1-9]");
    }
  }

  @Test
  void kubernetesOwnClientIsToldOfMemoryAndItsCallsAreCounted() throws Exception {
    Files.writeString(
        folder.resolve("berth.yaml"),
        """
        cpuManagerPolicy: static
        reservedSystemCPUs: "0"
        memoryManagerPolicy: Static
        reservedMemory: [{numaNode: 0, limits: {memory: 500Mi}}]
        berth: {podResources: %s}
        """
            .formatted(podResources()));
    try (RealAgent agent =
        RealAgent.start(folder, "--config", folder.resolve("berth.yaml").toString())) {
      JsonNode applied = agent.apply(RealAgent.pod("db", RealAgent.guaranteed(1), "sleep", "1000"));
      assertThat(applied.path(0).path("outcome").asString()).isEqualTo("admitted");
      JsonNode listed = new ObjectMapper().readTree(told("list")).path("podResources").path(0);
      assertThat(listed.path("name").asString()).isEqualTo("db");
      JsonNode container = listed.path("containers").path(0);
      assertThat(container.path("cpuIds").toString()).isEqualTo("[\"1\"]");
      assertMemory(container.path("memory").path(0));
      assertThat(container.path("memory").path(0).path("size").asString())
          .isEqualTo(String.valueOf(64 << 20));
      JsonNode allocatable = new ObjectMapper().readTree(told("allocatable"));
      assertThat(allocatable.path("cpuIds").toString()).startsWith("[\"1\"");
      assertMemory(allocatable.path("memory").path(0));
      assertThat(Long.parseLong(allocatable.path("memory").path(0).path("size").asString()))
          .isGreaterThan(64 << 20);
      assertThatThrownBy(() -> resourcesOf("nobody"))
          .hasMessageContaining("pod nobody in namespace default not found");
      String version = "{server_api_version=\"v1\"} ";
      assertThat(agent.ask("GET", "/metrics", "").lines())
          .contains(
              "kubelet_pod_resources_endpoint_requests_total" + version + 3,
              "kubelet_pod_resources_endpoint_requests_list" + version + 1,
              "kubelet_pod_resources_endpoint_requests_get_allocatable" + version + 1,
              "kubelet_pod_resources_endpoint_requests_get" + version + 1,
              "kubelet_pod_resources_endpoint_errors_get" + version + 1);
    }
  }

  private static void assertMemory(JsonNode block) {
    assertThat(block.path("memoryType").asString()).isEqualTo("memory");
    assertThat(block.path("topology").path("nodes").size()).isEqualTo(1);
  }

  @Test
  void aContainerThatBeginsAgainWaitsForItsPlugin() throws Exception {
    try (RealAgent agent =
        RealAgent.start(folder, "--config", folder.resolve("berth.yaml").toString())) {
      Process plugin = plugin("gpu-0@0");
      awaitDevices(agent);
      String asks = "{limits: {cpu: 1, memory: 64Mi, vendor.example/gpu: 1}}";
      agent.apply(RealAgent.pod("train", asks, "sh", "-c", "echo DEVICES=$DEVICES; sleep 1000"));
      RealAgent.await(
          "its environment", () -> agent.ask("GET", "/log/train", "").contains("DEVICES=gpu-0"));
      plugin.destroyForcibly().waitFor();
      agent.kill();
      agent.startAgain();
      Posix.kill(agent.container("train", "app").path("pid").asLong(), Posix.SIGKILL);
      RealAgent.await(
          "the start to fail",
          () ->
              agent
                  .ask("GET", "/events", "")
                  .contains(
                      "device plugin of vendor.example/gpu: expected one that is connected, found"
                          + " none"));
      assertThat(agent.ask("GET", "/log/train", "").lines()).containsExactly("DEVICES=gpu-0");
      plugin("gpu-0@0");
      RealAgent.await(
          "the start to succeed",
          () ->
              agent
                  .ask("GET", "/log/train", "")
                  .lines()
                  .toList()
                  .equals(List.of("DEVICES=gpu-0", "DEVICES=gpu-0")));
    }
  }

  private RealAgent byNri(RealContainerd containerd) throws IOException {
    return RealAgent.startByNri(
        folder, containerd.nriSocket(), "--config", folder.resolve("berth.yaml").toString());
  }

  @Test
  void aRuntimesContainerSeesAllThatItsPluginHandsOn() throws Exception {
    Path given = Files.createDirectory(folder.resolve("given"));
    Files.writeString(given.resolve("weights"), "the plugin's\n");
    try (RealContainerd containerd = RealContainerd.current();
        RealAgent agent = byNri(containerd);
        FakePlugin plugin =
            FakePlugin.start(
                folder.resolve("plugins"), "fake.sock", FakePlugin.device("gpu-0", true, 0))) {
      Files.createDirectories(containerd.folder().resolve("cdi"));
      Files.writeString(
          containerd.folder().resolve("cdi/vendor.json"),
          """
          {"cdiVersion": "0.6.0", "kind": "vendor.example/gpu", "devices": [
            {"name": "gpu-0", "containerEdits": {"env": ["FOUND_BY_NAME=gpu-0"]}}]}
          """);
      plugin.handsOn(answer ->
          answer
              .addMounts(
                  Mount.newBuilder()
                      .setContainerPath("/given")
                      .setHostPath(given.toString())
                      .setReadOnly(true))
              .putAnnotations("vendor.example/given", "gpu-0")
              .addCdiDevices(CDIDevice.newBuilder().setName("vendor.example/gpu=gpu-0")));
      plugin.register(GPU);
      awaitDevices(agent);
      Map<String, String> annotations = Map.of(GuestRequest.ANNOTATION + "app", GPU + "=1");
      RealPod pod = containerd.pods().run("train", QosClass.GUARANTEED, annotations);
      String id =
          pod.start(
              "app",
              ONE_CPU,
              "env; cat /given/weights; touch /given/new || echo read only; sleep 100");
      pod.awaitLine("app", "read only");
      assertThat(pod.log("app")).contains("DEVICES=gpu-0", "FOUND_BY_NAME=gpu-0", "the plugin's");
      assertThat(containerd.ctr("-n", "k8s.io", "containers", "info", "--spec", id))
          .containsPattern("\"vendor.example/given\": \"gpu-0\"");
    }
  }

  @Test
  void aRuntimesContainerHasItsDeviceByNri() throws Exception {
    try (RealContainerd containerd = RealContainerd.current();
        RealAgent agent = byNri(containerd)) {
      plugin("gpu-0@0");
      awaitDevices(agent);
      Map<String, String> annotations = Map.of(GuestRequest.ANNOTATION + "app", GPU + "=1");
      RealPod pod = containerd.pods().run("train", QosClass.GUARANTEED, annotations);
      pod.start(
          "app", ONE_CPU, "env; ls -l /dev/given; echo x > /dev/given && echo done; sleep 100");
      pod.awaitLine("app", "done");
      assertThat(pod.log("app"))
          .anyMatch(line -> line.equals("DEVICES=gpu-0"))
          .anyMatch(line -> line.startsWith("crw-rw-rw-"));
      assertThat(resourcesOf("train").toString()).contains("gpu-0", "\"cpuIds\":[\"1\"]");
      RealPod second = containerd.pods().run("second", QosClass.BURSTABLE, annotations);
      assertThatThrownBy(() -> second.start("app", Asks.requested(100), "sleep 100"))
          .hasMessageContaining("berth: second/app: ")
          .hasMessageContaining(GPU);
      pod.remove();
      second.start("app", Asks.requested(100), "env; sleep 100");
      assertThat(second.awaitLine("app", "DEVICES=")).isEqualTo("gpu-0");
    }
  }
}
