package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpHandler;
import dev.berth.http.HttpReply;
import dev.berth.http.HttpRequest;
import dev.berth.json.Json;
import dev.berth.kubelet.RunnablePod;
import dev.berth.render.MachineJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the agent answers on its unix socket.
 *
 * <p>{@code GET /pods}, {@code POST /pods} with YAML, {@code DELETE /pods/NAME}, {@code GET
 * /log/NAME/CONTAINER}, {@code GET /machine}, {@code GET /events}, {@code POST /run}, {@code POST
 * /reload}, {@code GET /config}, {@code GET /about} and {@code GET /agentlog} for those who want to
 * know how it is run, and all that {@link Window} shows.
 */
final class Api implements HttpHandler {
  /** How often one who follows events hears something, so that one who has gone is noticed. */
  private static final long HEARTBEAT = 5_000;

  private final Agent agent;
  private final HttpHandler window;
  private final Commands commands;

  Api(Agent agent, HttpHandler window) {
    this.agent = agent;
    this.window = window;
    commands = new Commands(agent);
  }

  @Override
  public HttpReply answer(HttpRequest request) {
    try {
      return route(request);
    } catch (InvalidInputException e) {
      return HttpReply.text(400, e.line() + "\n");
    } catch (AgentEndsException e) {
      return HttpReply.text(503, e.getMessage() + "\n");
    }
  }

  private HttpReply route(HttpRequest request) {
    String[] parts = request.path().substring(1).split("/", 2);
    String rest = parts.length > 1 ? parts[1] : "";
    return switch (request.method() + " " + parts[0]) {
      case "GET pods" -> HttpReply.json(200, Json.write(agent.call(() -> StatusJson.of(agent))));
      case "POST pods" -> apply(request.body(), request.query().getOrDefault("source", "pods"));
      case "DELETE pods" -> remove(rest);
      case "GET log" -> log(rest);
      case "GET events" -> events(request);
      case "GET about" -> HttpReply.json(200, Json.write(agent.call(() -> AboutJson.of(agent))));
      case "GET machine" ->
          HttpReply.json(
              200, Json.write(agent.call(() -> MachineJson.tree(agent.node().machine()))));
      case "GET config" -> HttpReply.text(200, agent.call(() -> agent.settings().yaml()));
      case "GET agentlog" -> HttpReply.text(200, String.join("\n", agent.logLines()) + "\n");
      case "POST run" -> commands.run(request.body());
      case "POST reload" -> {
        agent.reload();
        yield HttpReply.text(200, "reloaded\n");
      }
      default -> window.answer(request);
    };
  }

  private HttpReply apply(String yaml, String source) {
    List<RunnablePod> pods = read(source, yaml);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode list = json.putArray("pods");
    // One that waits for its device plugins does not hold up those after it.
    List<CompletableFuture<ObjectNode>> answers =
        pods.stream().map(pod -> agent.call(() -> apply(pod))).toList();
    answers.forEach(answer -> list.add(awaited(answer)));
    return HttpReply.json(200, Json.write(json));
  }

  private static <T> T awaited(CompletableFuture<T> answer) {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AgentEndsException(e);
    } catch (ExecutionException | CancellationException e) {
      throw new AgentEndsException(e);
    }
  }

  /** One at a time: a large file takes twenty times its size while it is read. */
  private synchronized List<RunnablePod> read(String source, String yaml) {
    return RunnablePod.read(source, yaml);
  }

  private CompletableFuture<ObjectNode> apply(RunnablePod pod) {
    agent.departure().expectToStay();
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("uid", pod.uid())
            .put("namespace", pod.manifest().namespace())
            .put("name", pod.manifest().name());
    pod.warnings().forEach(json.putArray("warnings")::add);
    Optional<Tenant> before = agent.embedded().residents().get(pod.uid());
    if (before.isPresent()
        && !before.get().life().phase().isOver()
        && !before.get().life().isHeld()
        && before.get().pod().text().equals(pod.text())) {
      return CompletableFuture.completedFuture(
          json.put("outcome", "unchanged").put("message", "it runs as it is"));
    }
    return agent
        .embedded()
        .reception()
        .admit(pod, Origin.APPLY, Optional.empty())
        .thenApply(verdict -> outcome(json, pod, verdict));
  }

  /** On the loop, for that is where the verdict comes from. */
  private ObjectNode outcome(ObjectNode json, RunnablePod pod, Verdict verdict) {
    return switch (verdict) {
      case Verdict.In _ -> {
        Seating seating = agent.household().seating();
        Tenant tenant = agent.embedded().residents().get(pod.uid()).orElseThrow();
        Descriptions.remarks(seating, tenant.request())
            .forEach(line -> json.withArray("warnings").add(pod.manifest().name() + ": " + line));
        yield json.put("outcome", "admitted").put("message", Descriptions.seats(seating, tenant));
      }
      case Verdict.Out out ->
          json.put("outcome", "refused").put("reason", out.reason()).put("message", out.message());
    };
  }

  static HttpReply unknown(String name) {
    return HttpReply.text(404, "pod " + name + ": expected one that is here, found none\n");
  }

  /** Answers once the pod is gone. */
  private HttpReply remove(String name) {
    Optional<CompletableFuture<Boolean>> gone = agent.call(() -> agent.remove(name));
    if (gone.isEmpty()) {
      return unknown(name);
    }
    awaited(gone.get());
    return HttpReply.text(200, "removed\n");
  }

  private HttpReply log(String rest) {
    int slash = rest.lastIndexOf('/');
    String name = slash < 0 ? rest : rest.substring(0, slash);
    Optional<Tenant> found = agent.call(() -> agent.embedded().residents().find(name));
    if (found.isEmpty()) {
      return unknown(name);
    }
    String wanted = slash < 0 ? "" : rest.substring(slash + 1);
    String container = wanted.isEmpty() ? found.get().life().containers().getLast().name() : wanted;
    if (found.get().life().container(container).isEmpty()) {
      return HttpReply.text(404, "container " + container + ": expected one of the pod\n");
    }
    Path file = agent.embedded().log(found.get(), container);
    return new HttpReply.Streamed(
        200,
        HttpReply.TEXT,
        out -> {
          copy(LogRotation.old(file), out);
          copy(file, out);
        });
  }

  private static void copy(Path file, OutputStream out) throws IOException {
    try {
      Files.copy(file, out);
    } catch (NoSuchFileException e) {
      // It has printed nothing, or has not begun.
      return;
    }
  }

  private HttpReply events(HttpRequest request) {
    boolean follow = request.query().getOrDefault("follow", "false").equals("true");
    return new HttpReply.Streamed(200, "application/x-ndjson", out -> stream(out, follow));
  }

  private void stream(OutputStream out, boolean follow) throws IOException {
    Events events = agent.events();
    long last = 0;
    try {
      do {
        List<Event> more = last == 0 ? events.after(0) : events.await(last, HEARTBEAT);
        for (Event event : more) {
          out.write((EventJson.of(event) + "\n").getBytes(StandardCharsets.UTF_8));
          last = event.number();
        }
        if (more.isEmpty() && follow) {
          out.write('\n');
        }
        out.flush();
      } while (follow && !events.isClosed());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
