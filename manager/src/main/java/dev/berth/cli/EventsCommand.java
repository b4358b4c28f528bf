package dev.berth.cli;

import dev.berth.http.HttpExchange;
import dev.berth.http.SilentServerException;
import dev.berth.json.Json;
import dev.berth.terminal.Words;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code berth events}: what happened, and what happens. */
final class EventsCommand implements Command {
  static final String SUMMARY =
      "Shows what happened since the agent started, and follows what happens.";

  private final Output output;
  private final AgentClient client = new AgentClient();
  private boolean still;
  private OutputFormat format = OutputFormat.TEXT;

  EventsCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "events", SUMMARY)
        .with(
            client,
            Option.named("--no-follow")
                .flag(value -> still = value)
                .says("Ends with the latest event."),
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says("text or json. Default: text."))
        .footer("", "Examples:", "  berth events", "  berth events --no-follow -o json")
        .spec();
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
    } catch (SilentServerException e) {
      throw new AgentClient.UnreachableException(client.socket(), e);
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
