package dev.berth.agent;

import dev.berth.http.HttpHandler;
import dev.berth.http.HttpReply;
import dev.berth.http.HttpRequest;
import dev.berth.page.StoryPage;

/**
 * What can be seen of an agent, and nothing that changes it: the page, the story that it draws, why
 * a pod sits where it sits, what would become of another, and all that {@link Health} answers.
 *
 * <p>The socket and the port have one each, with queues of their own: requests on the port, where
 * anybody can ask, do not hold up those on the socket.
 */
final class Window implements HttpHandler {
  private final Health health;
  private final Desk desk;
  private final Storyteller storyteller;

  Window(Agent agent, Desk desk) {
    this.desk = desk;
    health = new Health(agent);
    storyteller = new Storyteller(agent.chronicle(), agent::differences);
  }

  @Override
  public HttpReply answer(HttpRequest request) {
    String[] parts = request.path().substring(1).split("/", 2);
    String rest = parts.length > 1 ? parts[1] : "";
    return switch (request.method() + " " + parts[0]) {
      case "GET " -> HttpReply.html(200, StoryPage.live());
      case "GET story" -> story(request, rest);
      case "GET explain" -> desk.explain(rest);
      case "POST explain" ->
          desk.wouldBe(request.query().getOrDefault("source", "pod"), request.body());
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
}
