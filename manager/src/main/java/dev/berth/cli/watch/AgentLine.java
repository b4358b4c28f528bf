package dev.berth.cli.watch;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpExchange;
import dev.berth.json.Json;
import dev.berth.render.MachineJson;
import dev.berth.topology.Machine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * One acquaintance with an agent, until it goes away. What it says that is no answer is failure.
 */
final class AgentLine {
  private final Path socket;
  private final boolean isHere;
  private final long agent;
  private Machine machine;
  private Status status;

  private AgentLine(Path socket) throws IOException {
    this.socket = socket;
    JsonNode about = json("/about");
    isHere = !about.path("pretending").asBoolean(false);
    agent = about.path("pid").asLong(0);
    status = Status.of(json("/pods"));
    machine = machine();
  }

  /**
   * Asks for everything once.
   *
   * @throws IOException where nobody answers, or not as an agent does
   */
  static AgentLine open(Path socket) throws IOException {
    return new AgentLine(socket);
  }

  /** How it stood when it was asked last. */
  News.Seen seen() {
    return new News.Seen(machine, status, isHere, agent);
  }

  /** Asks again; the machine only where it can have changed. */
  void refresh() throws IOException {
    Status before = status;
    status = Status.of(json("/pods"));
    if (!status.machine().equals(before.machine()) || !status.cpus().equals(before.cpus())) {
      machine = machine();
    }
  }

  private Machine machine() throws IOException {
    try {
      return MachineJson.read(json("/machine"));
    } catch (InvalidInputException e) {
      throw new IOException(socket + ": " + e.line(), e);
    }
  }

  /** Those events that have been. */
  List<News.Told> events() throws IOException {
    List<News.Told> events = new ArrayList<>();
    follow(false, line -> line.ifPresent(events::add));
    return events;
  }

  /**
   * Hears events until the agent ends.
   *
   * @param listener told of each, and of none where the agent has said all for now
   */
  void follow(Consumer<Optional<News.Told>> listener) throws IOException {
    follow(true, listener);
  }

  private void follow(boolean onAndOn, Consumer<Optional<News.Told>> listener) throws IOException {
    try (HttpExchange exchange = HttpExchange.send(socket, "GET", "/events?follow=" + onAndOn, "");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(exchange.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isEmpty()) {
          listener.accept(Optional.of(told(line)));
        }
        if (!lines.ready()) {
          listener.accept(Optional.empty());
        }
      }
    }
  }

  private News.Told told(String line) throws IOException {
    JsonNode event = parsed(socket, line);
    return new News.Told(
        event.path("number").asLong(0),
        event.path("time").asString(""),
        event.path("kind").asString(""),
        event.path("pod").asString(""),
        event.path("message").asString(""));
  }

  /** Why a pod sits there, in lines. */
  static News.Explained explain(Path socket, PodLine pod) {
    List<String> lines = new ArrayList<>();
    try {
      String name = URLEncoder.encode(pod.uid(), StandardCharsets.UTF_8).replace("+", "%20");
      JsonNode answer = json(socket, "/explain/" + name);
      answer.path("text").forEach(line -> lines.add(line.asString()));
    } catch (IOException e) {
      lines.add(String.valueOf(e.getMessage()));
    }
    return new News.Explained(pod.title(), lines);
  }

  private JsonNode json(String target) throws IOException {
    return json(socket, target);
  }

  private static JsonNode json(Path socket, String target) throws IOException {
    try (HttpExchange exchange = HttpExchange.send(socket, "GET", target, "")) {
      String text = exchange.text();
      if (exchange.status() >= 400) {
        throw new IOException(text.strip());
      }
      return parsed(socket, text);
    }
  }

  private static JsonNode parsed(Path socket, String text) throws IOException {
    try {
      return Json.read(text);
    } catch (JacksonException e) {
      throw new IOException(socket + ": expected JSON from the agent, found other", e);
    }
  }
}
