package dev.berth.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubelet.OwnSettings.LogFormat;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentLogTest {
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final AgentLog log =
      new AgentLog(
          new PrintStream(written, true, UTF_8), Clock.fixed(TIME, ZoneOffset.UTC), LogFormat.TEXT);

  private List<String> lines() {
    return written.toString(UTF_8).lines().toList();
  }

  @Test
  void aFloodOfEventsIsCutShortAndDoesNotCrowdOutTheAgentsOwnWords() {
    long began = System.nanoTime();
    for (int i = 0; i < 20_000; i++) {
      log.event(new Event(i, TIME, "admitted", "db", "app: CPUs 1 alone"));
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    assertThat(lines()).hasSizeBetween(1_000, 1_010 + (int) (101 * seconds));
    log.line("still there");
    assertThat(lines().getLast()).isEqualTo("2026-01-02T03:04:05.678Z agent: still there");
    assertThat(lines())
        .anyMatch(
            line -> line.endsWith("lines about containers were left out, they came too fast"));
  }

  @Test
  void clientsOnThePortFillNeitherTheDiskNorTheAgentsShare() {
    long began = System.nanoTime();
    for (int i = 0; i < 20_000; i++) {
      log.stranger("127.0.0.1:8484: request: expected a whole one, found the end of it");
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    assertThat(lines()).hasSizeBetween(20, 24 + 2 * (int) seconds);
    for (int i = 0; i < 500; i++) {
      log.line("line " + i);
    }
    assertThat(lines().getLast()).endsWith("agent: line 499");
    assertThat(lines()).filteredOn(line -> line.contains("agent: line ")).hasSize(500);
  }

  @Test
  void whatOthersSayIsOneLineAndNotTooLong() {
    log.line("a\nb\r\nc" + "x".repeat(10_000));
    assertThat(lines()).singleElement().asString().contains("a b c").hasSizeLessThan(4_100);
  }
}
