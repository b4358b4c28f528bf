package dev.berth.agent;

import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real agent tries pods for whoever asks on its port, and goes on as before. */
@Tag("slow")
class ExplainPortTest {
  private static final Pattern PORT = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");

  @TempDir private Path folder;

  @Test
  void aPodIsTriedOnThePortAndNothingChanges() throws Exception {
    try (RealAgent agent =
        RealAgent.start(
            folder,
            "--machine",
            "epyc-9654-2p-nps4",
            "--reserved-cpus",
            "0-3",
            "--topology-manager-policy",
            "single-numa-node")) {
      int port = port(agent);
      for (int i = 0; i < 60; i++) {
        agent.apply(pod("p" + i, guaranteed(6), "x"));
      }
      String before = agent.status().path("exclusive").asString();
      assertThat(ask(port, pod("big", guaranteed(48), "x"))).contains("\"decision\":\"refused\"");
      String wide = ask(port, pod("wide", guaranteed(44), "x"));
      assertThat(wide).contains("\"decision\":\"refused\"").contains("\"plan\":");
      assertThat(agent.status().path("exclusive").asString()).isEqualTo(before);
      assertThat(ask(port, "kind: Pot")).startsWith("400 ").contains("kind: expected apiVersion");
      assertThat(agent.isReady()).isTrue();
    }
  }

  /** Its log tells which port it was given, a moment after the socket answers. */
  private static int port(RealAgent agent) throws IOException {
    RealAgent.await(
        "the port in the log", () -> PORT.matcher(Files.readString(agent.log())).find());
    Matcher matcher = PORT.matcher(Files.readString(agent.log()));
    assertThat(matcher.find()).isTrue();
    return Integer.parseInt(matcher.group(1));
  }

  private static String ask(int port, String yaml) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/explain"))
                  .header("Content-Type", "application/yaml")
                  .POST(HttpRequest.BodyPublishers.ofString(yaml))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }
}
