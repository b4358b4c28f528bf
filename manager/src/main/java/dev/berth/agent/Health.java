package dev.berth.agent;

import dev.berth.http.HttpHandler;
import dev.berth.http.HttpReply;
import dev.berth.http.HttpRequest;
import dev.berth.observe.Registry;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What an agent tells of itself: whether it lives and works. Nothing here changes anything.
 *
 * <p>Of all that ask here at once, one question about health and one for metrics at a time waits
 * for the agent's turn: a flood of them does not hold up the agent, nor others that ask it
 * elsewhere.
 */
final class Health implements HttpHandler {
  private final Agent agent;
  private final ReentrantLock probes = new ReentrantLock(true);
  private final ReentrantLock scrapes = new ReentrantLock(true);

  Health(Agent agent) {
    this.agent = agent;
  }

  @Override
  public HttpReply answer(HttpRequest request) {
    return switch (request.method() + " " + request.path()) {
      // It is answered in turn with everything else, so an agent that is stuck does not answer.
      case "GET /healthz" -> one(probes, () -> HttpReply.text(200, agent.call(() -> "ok\n")));
      case "GET /readyz" -> one(probes, this::ready);
      case "GET /metrics" ->
          one(scrapes, () -> new HttpReply.Whole(200, Registry.CONTENT_TYPE, agent.metrics()));
      default ->
          HttpReply.text(
              404,
              request.path()
                  + ": not found; expected /, /story, /explain, /healthz, /readyz or /metrics\n");
    };
  }

  private String remarks() {
    return agent.remarks().stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  private static HttpReply one(ReentrantLock turn, Supplier<HttpReply> question) {
    turn.lock();
    try {
      return question.get();
    } finally {
      turn.unlock();
    }
  }

  private HttpReply ready() {
    Optional<String> unready = agent.unready();
    return unready
        .map(why -> HttpReply.text(503, why + "\n"))
        .orElseGet(() -> HttpReply.text(200, "ok\n" + remarks()));
  }
}
