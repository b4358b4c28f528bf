package dev.berth.agent;

import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.HttpExchange;
import dev.berth.start.BerthJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user without rights floods the port of a real agent; root is answered on the socket. */
@Tag("slow")
class PortFloodTest {
  private static final Pattern PORT = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");
  private static final int QUESTIONS = 60;

  @TempDir private Path folder;
  private OtherUser user;
  private RealAgent agent;
  private String large;

  @BeforeEach
  void start() throws IOException {
    user = OtherUser.in(folder);
    agent =
        RealAgent.startBehind(
            Files.createDirectory(folder.resolve("agent")),
            List.of(),
            "--machine",
            "epyc-9654-2p-nps4",
            "--topology-manager-policy",
            "single-numa-node");
    for (int i = 0; i < 40; i++) {
      agent.apply(pod("p" + i, guaranteed(6), "x"));
    }
    // A refusal takes longest: what would help is searched for.
    large = pod("large", guaranteed(60), "x");
  }

  @AfterEach
  void end() {
    user.end();
    agent.close();
  }

  private void flood(String request) throws IOException {
    Matcher port = PORT.matcher(Files.readString(agent.log()));
    assertThat(port.find()).isTrue();
    List<String> words = new ArrayList<>(user.words());
    words.addAll(BerthJvm.words(BerthJvm.SHORT, user.classPath(), PortFlood.class.getName()));
    words.addAll(List.of(port.group(1), request));
    Process flood =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    assertThat(flood.inputReader().readLine()).isEqualTo("begun");
  }

  private int explained() throws IOException {
    try (HttpExchange exchange = HttpExchange.send(agent.socket(), "POST", "/explain", large)) {
      assertThat(exchange.text()).isNotEmpty();
      return exchange.status();
    }
  }

  private List<Integer> answers() throws IOException {
    List<Integer> answers = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      answers.add(explained());
    }
    return answers;
  }

  @Test
  void theSocketExplainsWhileThePortIsFloodedWithExplanations() throws IOException {
    int bytes = large.getBytes(StandardCharsets.UTF_8).length;
    flood(
        "POST /explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/yaml\r\n"
            + "Content-Length: "
            + bytes
            + "\r\n\r\n"
            + large);
    assertThat(answers()).containsOnly(200);
  }

  @Test
  void garbledRequestsOnThePortLeaveRoomInTheLog() throws IOException {
    flood("GET / HTTP/1.1\r\nnothing\r\n\r\n");
    RealAgent.await(
        "lines about the flood",
        () ->
            Files.readString(agent.log())
                .contains("lines about clients on the port were left out"));
    for (int i = 0; i < 40; i++) {
      agent.ask("POST", "/reload", "");
    }
    List<String> lines = Files.readAllLines(agent.log());
    assertThat(lines).filteredOn(line -> line.contains("reloaded:")).hasSize(40);
    assertThat(lines)
        .filteredOn(line -> line.contains("header: expected NAME"))
        .hasSizeLessThan(90);
    assertThat(answers()).containsOnly(200);
  }
}
