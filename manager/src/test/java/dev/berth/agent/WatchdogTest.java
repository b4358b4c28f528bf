package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.OwnSettings.LogFormat;
import dev.berth.linux.NotifySocket;
import dev.berth.topology.Machines;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What systemd hears of a real agent. */
@Tag("slow")
class WatchdogTest {
  @TempDir private Path folder;
  private final List<String> heard = new ArrayList<>();

  private void hear(NotifySocket systemd) {
    for (Optional<String> next = systemd.received(); next.isPresent(); next = systemd.received()) {
      heard.add(next.get());
    }
  }

  private void awaitMore(NotifySocket systemd, String message) {
    heard.clear();
    RealAgent.await(
        message,
        () -> {
          hear(systemd);
          return heard.contains(message);
        });
  }

  @Test
  void anAgentTellsThatItLivesAsLongAsItAnswersOnItsSocket() throws Exception {
    Path socket = folder.resolve("notify");
    try (NotifySocket systemd = new NotifySocket(socket);
        RealAgent agent =
            RealAgent.startBehind(
                Files.createDirectory(folder.resolve("agent")),
                List.of("env", "NOTIFY_SOCKET=" + socket, "WATCHDOG_USEC=400000"),
                "--machine",
                "pack:1 core:2 pu:1")) {
      awaitMore(systemd, "READY=1");
      for (int i = 0; i < 3; i++) {
        awaitMore(systemd, "WATCHDOG=1");
      }
      Path hidden = folder.resolve("hidden");
      Files.move(agent.socket(), hidden);
      RealAgent.await(
          "the agent to notice", () -> Files.readString(agent.log()).contains("watchdog: "));
      hear(systemd);
      long lines = watchdogLines(agent);
      RealAgent.await("it to ask again and again", () -> watchdogLines(agent) >= lines + 5);
      heard.clear();
      hear(systemd);
      assertThat(heard).isEmpty();
      Files.move(hidden, agent.socket());
      awaitMore(systemd, "WATCHDOG=1");
      agent.end();
      awaitMore(systemd, "STOPPING=1");
    }
  }

  @Test
  void anAgentWhoseLoopHangsTellsNothing() throws Exception {
    Path socket = folder.resolve("notify");
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    AgentLog log =
        new AgentLog(
            new PrintStream(lines, true, StandardCharsets.UTF_8),
            Clock.systemUTC(),
            LogFormat.TEXT);
    CountDownLatch hangs = new CountDownLatch(1);
    try (NotifySocket systemd = new NotifySocket(socket);
        Agent agent =
            PretendedAgent.start(
                folder,
                Ground.fixed(Machines.parse("pack:1 core:2 pu:1")),
                () -> NodeSettings.DEFAULTS,
                OutputStream.nullOutputStream());
        AgentServers _ = AgentServers.start(agent, log);
        Watchdog _ =
            Watchdog.start(
                Map.of("NOTIFY_SOCKET", socket.toString(), "WATCHDOG_USEC", "400000"),
                agent.options().socket(),
                log)) {
      awaitMore(systemd, "WATCHDOG=1");
      Thread hanging = Thread.ofPlatform().start(() -> hang(agent, hangs));
      RealAgent.await(
          "it to ask in vain", () -> lines.toString(StandardCharsets.UTF_8).contains("watchdog: "));
      heard.clear();
      hear(systemd);
      assertThat(heard.size()).as("those of before").isLessThan(3);
      heard.clear();
      hear(systemd);
      assertThat(heard).isEmpty();
      hangs.countDown();
      hanging.join();
      awaitMore(systemd, "WATCHDOG=1");
    }
  }

  private static void hang(Agent agent, CountDownLatch until) {
    agent.call(() -> {
      until.await();
      return true;
    });
  }

  private static long watchdogLines(RealAgent agent) throws Exception {
    try (var lines = Files.lines(agent.log())) {
      return lines.filter(line -> line.contains("watchdog: ")).count();
    }
  }

  @Test
  void aWatchdogOfAnotherProcessIsNotAnswered() throws Exception {
    Path socket = folder.resolve("notify");
    try (NotifySocket systemd = new NotifySocket(socket);
        RealAgent _ =
            RealAgent.startBehind(
                Files.createDirectory(folder.resolve("agent")),
                List.of("env", "NOTIFY_SOCKET=" + socket, "WATCHDOG_USEC=100000", "WATCHDOG_PID=1"),
                "--machine",
                "pack:1 core:2 pu:1")) {
      awaitMore(systemd, "READY=1");
      Thread.sleep(1_000);
      hear(systemd);
      assertThat(heard).containsExactly("READY=1");
    }
  }
}
