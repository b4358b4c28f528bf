package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpHandler;
import dev.berth.http.HttpReply;
import dev.berth.http.HttpRequest;
import dev.berth.page.StoryPage;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What can be seen of an agent, and nothing that changes it: the page, the story that it draws, why
 * a pod sits where it sits, what would become of another, and all that {@link Health} answers.
 *
 * <p>On a port anybody on this machine can ask, and so can any page in a browser there. Such a page
 * is kept from the answers: none says that others may read it, a request with a body must come from
 * our own page, and one that names us by a host name that was not given to us is refused, since
 * whoever owns that name could pass for us.
 */
final class Window implements HttpHandler {
  /** Reading a pod takes twenty times as much for a while, and anybody can ask. */
  static final int MOST_TRIED = 64 << 10;

  private final HttpHandler health;
  private final Predicate<String> isOurs;
  private final Explaining explaining;
  private final Storyteller storyteller;

  private Window(Agent agent, HttpHandler health, Predicate<String> isOurs) {
    this.health = health;
    this.isOurs = isOurs;
    explaining = new Explaining(agent);
    storyteller = new Storyteller(agent.chronicle());
  }

  /** On a unix socket, to which only those can connect who may do everything anyway. */
  static Window onSocket(Agent agent, HttpHandler health) {
    return new Window(agent, health, _ -> true);
  }

  /** On a port. */
  static Window onPort(Agent agent, HttpHandler health, HostAndPort address) {
    return new Window(agent, health, host -> isOurs(host, address.host()));
  }

  /** An address in numbers belongs to nobody else, so it cannot be a name that changes hands. */
  static boolean isOurs(String hostHeader, String told) {
    String host = hostHeader.replaceFirst(":[0-9]{1,5}$", "");
    return host.equals("localhost")
        || host.equals(told)
        || host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
        || host.matches("\\[[0-9a-fA-F:.]+]");
  }

  @Override
  public HttpReply answer(HttpRequest request) {
    String path = request.path();
    boolean reads = request.method().equals("GET");
    if (reads && path.equals("/")) {
      return guarded(request).orElseGet(() -> HttpReply.html(200, StoryPage.live()));
    }
    if (reads && path.equals("/story")) {
      return guarded(request).orElseGet(storyteller::story);
    }
    if (reads && path.equals("/story/follow")) {
      return guarded(request).orElseGet(storyteller::follow);
    }
    if (reads && path.startsWith("/explain/")) {
      String name = path.substring("/explain/".length());
      return guarded(request).orElseGet(() -> explaining.explain(name));
    }
    if (request.method().equals("POST") && path.equals("/explain")) {
      return guarded(request).or(() -> untriable(request)).orElseGet(() -> tried(request.body()));
    }
    return health.answer(request);
  }

  private HttpReply tried(String yaml) {
    try {
      return explaining.tried(yaml);
    } catch (InvalidInputException e) {
      return HttpReply.text(400, e.line() + "\n");
    }
  }

  /** A browser asks first before it sends this type for a page from elsewhere, and is not heard. */
  private static Optional<HttpReply> untriable(HttpRequest request) {
    if (!request.headers().getOrDefault("content-type", "").equals("application/yaml")) {
      return Optional.of(
          HttpReply.text(415, "Content-Type: expected application/yaml, found another\n"));
    }
    return request.body().length() > MOST_TRIED
        ? Optional.of(
            HttpReply.text(413, "pod: expected at most " + MOST_TRIED + " bytes to try\n"))
        : Optional.empty();
  }

  /** Why a request is not answered; none where it is. */
  private Optional<HttpReply> guarded(HttpRequest request) {
    String host = request.headers().getOrDefault("host", "");
    if (!isOurs.test(host)) {
      return Optional.of(
          HttpReply.text(
              403, "host: expected localhost, an address or the one of --http, found another\n"));
    }
    String origin = request.headers().getOrDefault("origin", "http://" + host);
    return origin.equals("http://" + host)
        ? Optional.empty()
        : Optional.of(
            HttpReply.text(403, "origin: expected our own page, found one from elsewhere\n"));
  }
}
