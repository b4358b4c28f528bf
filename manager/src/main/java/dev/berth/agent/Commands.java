package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpReply;
import dev.berth.json.Json;
import dev.berth.kubelet.RunnablePod;
import dev.berth.linux.ProcessId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets in commands that somebody runs in a process of their own.
 *
 * <p>The one who asks is that process: it is told what to join, joins, and becomes the command. So
 * the command has the terminal, the exit code and the signals that it would have had anyway, and no
 * process of ours stands between.
 */
final class Commands {
  private final Agent agent;

  Commands(Agent agent) {
    this.agent = agent;
  }

  /** Answers once the command may start, or must not. */
  HttpReply run(String body) {
    try {
      return answer(body);
    } catch (InvalidInputException e) {
      return refused(400, HttpReply.TEXT, e.line() + "\n");
    }
  }

  /** An agent that was brought for this command alone ends once its answer is written. */
  private HttpReply refused(int status, String type, String text) {
    if (!agent.options().passing()) {
      return new HttpReply.Whole(status, type, text);
    }
    agent.departure().endIfIdleLater();
    return new HttpReply.Streamed(
        status,
        type,
        out -> {
          boolean leaves = leaves();
          try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
          } finally {
            if (leaves) {
              agent.end();
            }
          }
        });
  }

  private boolean leaves() {
    try {
      return agent.call(agent.departure()::leavesIfIdle);
    } catch (AgentEndsException e) {
      return false;
    }
  }

  private HttpReply answer(String body) {
    JsonNode json = read(body);
    RunnablePod pod = RunnablePod.read("berth run", Json.write(json.path("pod"))).getFirst();
    ProcessId process =
        ProcessId.of(json.path("pid").asLong(0))
            .orElseThrow(() ->
                new InvalidInputException(
                    "pid: expected a process that runs, found " + json.path("pid")));
    long patience = json.path("wait").asLong(0);
    CompletableFuture<Verdict> answer = agent.call(() -> admit(pod, process, patience));
    try {
      return switch (answer.get()) {
        case Verdict.In _ -> HttpReply.json(200, Json.write(agent.call(() -> place(pod))));
        case Verdict.Out out ->
            refused(
                409,
                HttpReply.JSON,
                Json.write(
                    JsonNodeFactory.instance
                        .objectNode()
                        .put("reason", out.reason())
                        .put("message", out.message())
                        .set("lines", lines(out))));
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AgentEndsException(e);
    } catch (ExecutionException | CancellationException e) {
      throw new AgentEndsException(e);
    }
  }

  private CompletableFuture<Verdict> admit(RunnablePod pod, ProcessId process, long patience) {
    agent.departure().expectToStay();
    return agent.embedded().admit(pod, process, patience);
  }

  private static JsonNode read(String body) {
    try {
      return Json.read(body);
    } catch (JacksonException e) {
      throw new InvalidInputException("run: expected JSON, found something else", e);
    }
  }

  private static ArrayNode lines(Verdict.Out out) {
    ArrayNode lines = JsonNodeFactory.instance.arrayNode();
    out.why().ifPresent(why -> why.lines().forEach(lines::add));
    return lines;
  }

  private ObjectNode place(RunnablePod pod) {
    Embedded household = agent.embedded();
    Tenant resident =
        household
            .residents()
            .get(pod.uid())
            .orElseThrow(() ->
                new InvalidInputException(
                    "pod " + pod.uid() + ": its process has ended meanwhile"));
    Seating seating = household.seating();
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("uid", pod.uid());
    json.put("machine", agent.node().machine().cpus().toString());
    Descriptions.surprise(seating, resident.request(), true)
        .ifPresent(line -> json.put("warning", line));
    ArrayNode containers = json.putArray("containers");
    for (ContainerLife container : resident.life().containers()) {
      Seating.Seat seat = seating.seat(resident.request(), container.name());
      List<Path> files =
          household.enclosure().joinFiles(seating.groupOf(resident.request(), container.name()));
      ObjectNode one = containers.addObject().put("name", container.name());
      one.put("cpus", seat.cpus().toString()).put("exclusive", seat.exclusive());
      files.forEach(file -> one.withArray("join").add(file.toString()));
      if (household.enclosure().affinity(seat.cpus()).isPresent()) {
        one.put("affinity", true);
        household
            .mark(resident, container)
            .ifPresent(link -> one.put("mark", link.toAbsolutePath().toString()));
      }
      ObjectNode environment = one.putObject("environment");
      household.deviceEnvironment(resident, container.name()).forEach(environment::put);
      Environment.place(
              seat, resident, agent.node().deviceAssignments().of(resident.uid(), container.name()))
          .forEach(environment::put);
    }
    return json;
  }
}
