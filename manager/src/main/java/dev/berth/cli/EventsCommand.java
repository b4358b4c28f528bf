package dev.berth.cli;

import dev.berth.http.HttpExchange;
import dev.berth.json.Json;
import dev.berth.terminal.Words;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code berth events}: what happened, and what happens. */
@Command(
    name = "events",
    description = "Shows what happened since the agent started, and follows what happens.",
    footer = {"", "Examples:", "  berth events", "  berth events --no-follow -o json"})
final class EventsCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private AgentClient client = new AgentClient();

  @Option(names = "--no-follow", description = "Ends with the latest event.")
  private boolean still;

  @Option(names = "-o", paramLabel = "FORMAT", description = "text or json. Default: text.")
  private OutputFormat format = OutputFormat.TEXT;

  EventsCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() throws IOException {
    try (HttpExchange exchange = client.send("GET", "/events?follow=" + !still, "");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(exchange.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isEmpty()) {
          show(line);
        }
      }
    }
    return ExitCode.DONE.number();
  }

  private void show(String line) {
    switch (format) {
      case JSON -> output.out().println(line);
      case TEXT -> {
        JsonNode event = Json.read(line);
        String pod = event.path("pod").asString();
        String words =
            event.path("time").asString()
                + " "
                + event.path("kind").asString()
                + (pod.isEmpty() ? "" : " " + pod)
                + ": "
                + event.path("message").asString();
        output.out().println(Words.cut(words, output.tableWidth()));
      }
    }
    output.out().flush();
  }
}
