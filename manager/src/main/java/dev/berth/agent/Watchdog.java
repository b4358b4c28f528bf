package dev.berth.agent;

import dev.berth.http.HttpExchange;
import dev.berth.linux.UnixSockets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Tells systemd that the agent is ready, and on and on that it lives: only as long as it answers on
 * its own socket, which takes the thread that accepts, a connection's thread and the loop. Where
 * nobody listens to that, it does nothing.
 */
public final class Watchdog implements AutoCloseable {
  /** Of the time after which systemd ends a silent agent; one question may take a while. */
  private static final int QUESTIONS = 4;

  private final String notifySocket;
  private final Path socket;
  private final AgentLog log;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("berth-watchdog").factory());

  private boolean failing;

  private Watchdog(String notifySocket, Path socket, AgentLog log) {
    this.notifySocket = notifySocket;
    this.socket = socket;
    this.log = log;
  }

  /**
   * Tells that the agent is ready, and begins.
   *
   * @param environment where systemd says to whom and how often
   * @param socket the agent's own
   */
  public static Watchdog start(Map<String, String> environment, Path socket, AgentLog log) {
    Watchdog watchdog = new Watchdog(environment.getOrDefault("NOTIFY_SOCKET", ""), socket, log);
    watchdog.tell("READY=1");
    long micros = number(environment.getOrDefault("WATCHDOG_USEC", ""));
    String pid = environment.getOrDefault("WATCHDOG_PID", "");
    boolean ours = pid.isEmpty() || number(pid) == ProcessHandle.current().pid();
    if (micros > 0 && ours) {
      long pause = Math.max(1, micros / QUESTIONS);
      var _ =
          watchdog.thread.scheduleWithFixedDelay(watchdog::look, 0, pause, TimeUnit.MICROSECONDS);
    }
    return watchdog;
  }

  private static long number(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }

  private void look() {
    try (HttpExchange exchange = HttpExchange.send(socket, "GET", "/healthz", "")) {
      if (exchange.status() == 200) {
        tell("WATCHDOG=1");
      }
    } catch (IOException e) {
      log.line("watchdog: " + socket + " does not answer: " + e.getMessage());
    }
  }

  private void tell(String message) {
    if (notifySocket.isEmpty()) {
      return;
    }
    try {
      UnixSockets.send(notifySocket, message);
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        log.line("systemd cannot be told " + message + ": " + e.getMessage());
      }
      failing = true;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    tell("STOPPING=1");
  }
}
