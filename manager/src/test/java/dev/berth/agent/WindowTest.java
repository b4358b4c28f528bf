package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.HttpHandler;
import dev.berth.http.HttpReply;
import dev.berth.http.HttpRequest;
import dev.berth.http.HttpServer;
import dev.berth.http.Listener;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.topology.Machines;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an agent shows on its port. */
class WindowTest {
  @TempDir private Path folder;
  private Agent agent;
  private Desk desk;
  private HttpHandler window;

  @BeforeEach
  void start() throws IOException {
    agent =
        PretendedAgent.start(
            folder,
            Ground.fixed(Machines.parse("pack:1 core:4 pu:2")),
            () -> NodeSettings.DEFAULTS,
            OutputStream.nullOutputStream());
    desk = new Desk(agent, "port");
    window =
        new PortGuard(
            "berth.example", "Node1", () -> List.of("scraped.example"), new Window(agent, desk));
  }

  @AfterEach
  void stop() throws IOException {
    desk.close();
    agent.close();
  }

  private void apply(String name, int cpus) {
    RunnablePod pod =
        RunnablePod.read("a", RealAgent.pod(name, RealAgent.guaranteed(cpus), "x")).getFirst();
    var _ =
        agent.call(
            () -> agent.embedded().reception().admit(pod, Origin.APPLY, Optional.empty()).join());
  }

  private HttpReply ask(String path, Map<String, String> headers) {
    return window.answer(new HttpRequest("GET", path, Map.of(), headers, ""));
  }

  private static String body(HttpReply reply) throws IOException {
    return switch (reply) {
      case HttpReply.Whole whole -> whole.body();
      case HttpReply.Streamed streamed -> {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        streamed.body().write(out);
        yield out.toString(StandardCharsets.UTF_8);
      }
    };
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8484, 200",
    "localhost:8484, 200",
    "LOCALHOST.evil.example, 403",
    "[::1]:8484, 200",
    "10.1.2.3:8484, 200",
    "berth.example:8484, 200",
    "berth.example, 200",
    "Berth.Example, 200",
    "node1:8484, 200",
    "node1.evil.example:8484, 403",
    "scraped.example:8484, 200",
    "evil.example:8484, 403",
    "127.0.0.1.evil.example, 403",
    "'', 403"
  })
  void onlyItsOwnNamesAreAnswered(String host, int status) {
    for (String path :
        new String[] {
          "/", "/story", "/story/follow", "/explain/a", "/metrics", "/healthz", "/readyz", "/none"
        }) {
      int answered = ask(path, Map.of("host", host)).status();
      assertThat(answered == 404 ? 200 : answered).as(path).isEqualTo(status);
    }
  }

  @Test
  void aPageFromElsewhereIsNotAnswered() {
    assertThat(ask("/story", Map.of("host", "localhost", "origin", "http://evil.example")).status())
        .isEqualTo(403);
    assertThat(ask("/story", Map.of("host", "localhost", "origin", "http://localhost")).status())
        .isEqualTo(200);
  }

  @Test
  void nothingThatChangesAnythingIsAnswered() {
    for (String method : new String[] {"POST", "DELETE"}) {
      for (String path : new String[] {"/", "/story", "/pods", "/pods/a", "/reload", "/run"}) {
        HttpRequest request =
            new HttpRequest(
                method,
                path,
                Map.of(),
                Map.of("host", "localhost", "content-type", "application/yaml"),
                "");
        assertThat(window.answer(request).status()).as(method + " " + path).isEqualTo(404);
      }
    }
  }

  @Test
  void theStoryHasEveryStepAndTheExplanationStandsBeside() throws IOException {
    apply("a", 2);
    apply("b", 40);
    Map<String, String> headers = Map.of("host", "localhost");
    JsonNode story = JsonMapper.shared().readTree(body(ask("/story", headers)));
    assertThat(story.path("steps").path(0).path("cpus").path("app").asString()).isEqualTo("2-3");
    assertThat(story.path("steps").path(1).path("kind").asString()).isEqualTo("refused");
    assertThat(body(ask("/explain/default_b", headers))).contains("40");
  }

  private HttpReply attempt(String yaml, String type) {
    return window.answer(
        new HttpRequest(
            "POST", "/explain", Map.of(), Map.of("host", "localhost", "content-type", type), yaml));
  }

  @Test
  void aPodIsTriedAndNothingIsLeftOfIt() throws IOException {
    apply("a", 2);
    String before = agent.call(() -> StoryFold.of(agent.node()));
    String fits = RealAgent.pod("b", RealAgent.guaranteed(4), "x");
    JsonNode granted = JsonMapper.shared().readTree(body(attempt(fits, "application/yaml")));
    assertThat(granted.path("decision").asString()).isEqualTo("granted");
    assertThat(granted.path("cpus").path("app").asString()).isEqualTo("4-7");
    assertThat(granted.path("lines")).isNotEmpty();
    String large = RealAgent.pod("b", RealAgent.guaranteed(7), "x");
    JsonNode refused = JsonMapper.shared().readTree(body(attempt(large, "application/yaml")));
    assertThat(refused.path("decision").asString()).isEqualTo("refused");
    assertThat(refused.path("message").asString()).contains("not enough cpus");
    assertThat(agent.call(() -> StoryFold.of(agent.node()))).isEqualTo(before);
    assertThat(agent.household().residents().all()).hasSize(1);
  }

  @Test
  void whatCannotBeTriedIsOneLine() throws IOException {
    assertThat(attempt("a: b", "text/plain").status()).isEqualTo(403);
    assertThat(attempt("x".repeat(200_000), "application/yaml").status()).isEqualTo(413);
    HttpReply garbled = attempt("kind: Pot", "application/yaml");
    assertThat(garbled.status()).isEqualTo(400);
    assertThat(body(garbled)).startsWith("pod:1: kind: expected").endsWith("\n").hasLineCount(1);
  }

  @Test
  void whoeverFollowsHearsTheStoryThenEachStep() throws Exception {
    apply("a", 2);
    Listener port = Listener.port("127.0.0.1", 0);
    try (HttpServer _ = HttpServer.start(port, window, _ -> {}, 8);
        BufferedReader events =
            new BufferedReader(
                new InputStreamReader(
                    URI.create("http://" + port.name() + "/story/follow").toURL().openStream(),
                    StandardCharsets.UTF_8))) {
      assertThat(events.readLine()).isEqualTo("event: story");
      assertThat(data(events).path("steps")).hasSize(1);
      apply("b", 1);
      assertThat(events.readLine()).isEqualTo("event: step");
      JsonNode more = data(events);
      assertThat(more.path("pods").path(0).path("name").asString()).isEqualTo("b");
      assertThat(more.path("step").path("pod").asInt()).isEqualTo(1);
      agent.call(() -> agent.remove("a"));
      assertThat(events.readLine()).isEqualTo("event: step");
      JsonNode gone = data(events);
      assertThat(gone.path("pods")).isEmpty();
      assertThat(gone.path("step").path("pod").asInt()).isZero();
      agent.reload();
      assertThat(events.readLine()).isEqualTo("event: story");
      assertThat(data(events).path("start").path("holding")).hasSize(1);
    }
  }

  private static JsonNode data(BufferedReader events) throws IOException {
    String line = events.readLine();
    assertThat(line).startsWith("data: ");
    assertThat(events.readLine()).isEmpty();
    return JsonMapper.shared().readTree(line.substring("data: ".length()));
  }
}
