package dev.berth.agent;

import dev.berth.http.HttpHandler;
import dev.berth.http.HttpReply;
import dev.berth.http.HttpRequest;
import dev.berth.observe.Registry;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an agent tells of itself on a port: whether it lives and works, and what would become of a
 * pod. Nothing here changes anything.
 */
final class Health implements HttpHandler {
  private final Agent agent;

  Health(Agent agent) {
    this.agent = agent;
  }

  @Override
  public HttpReply answer(HttpRequest request) {
    return switch (request.method() + " " + request.path()) {
      // It is answered in turn with everything else, so an agent that is stuck does not answer.
      case "GET /healthz" -> HttpReply.text(200, agent.call(() -> "ok\n"));
      case "GET /readyz" -> ready();
      case "GET /metrics" -> new HttpReply.Whole(200, Registry.CONTENT_TYPE, agent.metrics());
      default ->
          HttpReply.text(
              404, request.path() + ": expected /healthz, /readyz or /metrics, found this\n");
    };
  }

  private String remarks() {
    return agent.remarks().stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  private HttpReply ready() {
    Optional<String> unready = agent.unready();
    return unready
        .map(why -> HttpReply.text(503, why + "\n"))
        .orElseGet(() -> HttpReply.text(200, "ok\n" + remarks()));
  }
}
