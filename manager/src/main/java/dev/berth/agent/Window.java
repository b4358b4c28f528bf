package dev.berth.agent;

import dev.berth.http.HttpHandler;
import dev.berth.http.HttpReply;
import dev.berth.http.HttpRequest;
import dev.berth.page.StoryPage;
import java.util.Map;
import java.util.Optional;

/**
 * What can be seen of an agent, and nothing that changes it: the page, the story that it draws, why
 * a pod sits where it sits, what would become of another, and all that {@link Health} answers.
 *
 * <p>On a port anybody on this machine can ask, and so can any page in a browser there. Such a page
 * is kept from the answers: none says that others may read it, a request with a body must be of a
 * type that only our own page can send, and one that names us by a host name that was not given to
 * us is refused, since whoever owns that name could pass for us.
 */
final class Window implements HttpHandler {
  private final HttpHandler health;
  private final Desk desk;
  private final Optional<HostAndPort> port;
  private final Storyteller storyteller;

  private Window(Agent agent, HttpHandler health, Desk desk, Optional<HostAndPort> port) {
    this.health = health;
    this.desk = desk;
    this.port = port;
    storyteller = new Storyteller(agent.chronicle(), agent::differences);
  }

  /** On a unix socket, to which only those can connect who may do everything anyway. */
  static Window onSocket(Agent agent, HttpHandler health, Desk desk) {
    return new Window(agent, health, desk, Optional.empty());
  }

  /** On a port. */
  static Window onPort(Agent agent, HttpHandler health, Desk desk, HostAndPort address) {
    return new Window(agent, health, desk, Optional.of(address));
  }

  @Override
  public HttpReply answer(HttpRequest request) {
    String[] parts = request.path().substring(1).split("/", 2);
    String rest = parts.length > 1 ? parts[1] : "";
    return switch (request.method() + " " + parts[0]) {
      case "GET " -> guarded(request).orElseGet(() -> HttpReply.html(200, StoryPage.live()));
      case "GET story" -> guarded(request).orElseGet(() -> story(request, rest));
      case "GET explain" -> guarded(request).orElseGet(() -> explain(rest));
      case "POST explain" -> guarded(request).orElseGet(() -> wouldBe(request));
      default -> health.answer(request);
    };
  }

  private HttpReply story(HttpRequest request, String rest) {
    return switch (rest) {
      case "" -> storyteller.story();
      case "follow" -> storyteller.follow();
      default -> health.answer(request);
    };
  }

  private HttpReply explain(String name) {
    return desk.explain(name).orElseGet(() -> Api.unknown(name));
  }

  private HttpReply wouldBe(HttpRequest request) {
    return desk.wouldBe(request.query().getOrDefault("source", "pod"), request.body());
  }

  /** Why a request is not answered; none where it is. */
  private Optional<HttpReply> guarded(HttpRequest request) {
    return port.flatMap(address -> objection(request, address))
        .map(line -> HttpReply.text(403, line + "\n"));
  }

  private static Optional<String> objection(HttpRequest request, HostAndPort address) {
    Map<String, String> headers = request.headers();
    String host = headers.getOrDefault("host", "");
    if (!isOurs(host, address.host())) {
      return Optional.of(
          "Host: expected localhost, an address or the one of --http, found another");
    }
    if (!headers.getOrDefault("origin", "http://" + host).equals("http://" + host)) {
      return Optional.of("Origin: expected our own page, found one from elsewhere");
    }
    // For a page from elsewhere, a browser asks first before it sends this type, and is not heard.
    boolean known = headers.getOrDefault("content-type", "").equals("application/yaml");
    return request.method().equals("GET") || known
        ? Optional.empty()
        : Optional.of("Content-Type: expected application/yaml, found another");
  }

  /** An address in numbers belongs to nobody else, so it cannot be a name that changes hands. */
  private static boolean isOurs(String hostAndPort, String told) {
    String host = hostAndPort.replaceFirst(":[0-9]{1,5}$", "");
    return host.equals("localhost")
        || host.equals(told)
        || host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
        || host.matches("\\[[0-9a-fA-F:.]+]");
  }
}
