package dev.berth.podresources;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testing.Clients;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The Kubernetes project's own client reads what we serve. */
@Tag("slow")
class UpstreamClientTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private PodResourcesServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        PodResourcesServer.start(
            folder.resolve("kubelet.sock"),
            () -> PodResourcesServerTest.SNAPSHOT,
            new PodResourcesListener() {
              @Override
              public void requested(Call call) {}

              @Override
              public void failed(Call call) {}

              @Override
              public void log(String line) {
                throw new AssertionError(line);
              }
            });
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private String ask(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Clients.program("podresources"));
    command.add(folder.resolve("kubelet.sock").toString());
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() == 0 ? output : "failed: " + output.strip();
  }

  private static JsonNode json(String text) {
    return JSON.readTree(text);
  }

  private static final String WEB =
      """
      {"name":"web","namespace":"default","containers":[
        {"name":"app","cpuIds":["2","3"],
         "memory":[{"memoryType":"memory","size":"1073741824",
                    "topology":{"nodes":[{},{"ID":"1"}]}}],
         "devices":[
           {"resourceName":"vendor.example/gpu","deviceIds":["gpu-0"],
            "topology":{"nodes":[{}]}},
           {"resourceName":"vendor.example/gpu","deviceIds":["gpu-0"],
            "topology":{"nodes":[{"ID":"1"}]}},
           {"resourceName":"vendor.example/gpu","deviceIds":["gpu-1"]}]},
        {"name":"log"}]}
      """;

  @Test
  void listIsReadAsItIsMeant() throws Exception {
    assertThat(json(ask("list")))
        .isEqualTo(
            json(
                "{\"podResources\":["
                    + WEB
                    + ",{\"name\":\"web\",\"namespace\":\"kube-system\"}]}"));
  }

  @Test
  void allocatableIsReadAsItIsMeant() throws Exception {
    assertThat(json(ask("allocatable")))
        .isEqualTo(
            json(
                """
                {"devices":[{"resourceName":"vendor.example/gpu","deviceIds":["gpu-1"]}],
                 "cpuIds":["1","2","3"],
                 "memory":[{"memoryType":"hugepages-2Mi","size":"4194304",
                            "topology":{"nodes":[{"ID":"1"}]}}]}
                """));
  }

  @Test
  void getIsReadAsItIsMeant() throws Exception {
    assertThat(json(ask("get", "default", "web")))
        .isEqualTo(json("{\"podResources\":" + WEB + "}"));
    assertThat(ask("get", "default", "db"))
        .isEqualTo(
            "failed: rpc error: code = Unknown desc = pod db in namespace default not found");
  }
}
