package dev.berth.story;

import dev.berth.json.Json;
import dev.berth.ledger.Holding;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * Writes a story step by step; what was written need not be kept.
 *
 * <p>Whoever closes it ends the JSON, and leaves the stream below open: it belongs to who made it.
 * For one thread.
 */
public final class StoryWriter implements AutoCloseable {
  private final JsonGenerator json;
  private final int pods;
  private boolean telling = true;

  /** Writes all that comes before the steps, and those that the opening has already. */
  StoryWriter(JsonGenerator json, Story opening) {
    this.json = json;
    pods = opening.pods().size();
    json.writeStartObject().writeNumberProperty("story", StoryJson.VERSION);
    json.writeStringProperty("title", opening.title());
    opening.began().ifPresent(began -> json.writeStringProperty("began", began.toString()));
    json.writeName("machine");
    Json.write(json, opening.machine());
    json.writeStringProperty("configuration", opening.configuration());
    json.writeStringProperty("reserved", opening.reserved().toString());
    json.writeName("pods").writeStartArray();
    opening.pods().forEach(this::pod);
    json.writeEndArray();
    start(opening.start());
    json.writeName("steps").writeStartArray();
    opening.steps().forEach(this::add);
  }

  private void pod(Story.Told pod) {
    json.writeStartObject()
        .writeStringProperty("uid", pod.uid())
        .writeStringProperty("namespace", pod.namespace())
        .writeStringProperty("name", pod.name())
        .writeStringProperty("qos", pod.qos());
    if (!pod.manifest().isEmpty()) {
      json.writeName("manifest");
      Json.write(json, pod.manifest());
    }
    json.writeEndObject();
  }

  private void start(Story.Start start) {
    json.writeName("start").writeStartObject();
    json.writeStringProperty("shared", start.shared().toString());
    if (!start.holding().isEmpty()) {
      json.writeName("holding").writeStartObject();
      for (Map.Entry<Integer, Holding> entry : start.holding().entrySet()) {
        json.writeName(entry.getKey().toString()).writeStartObject();
        HoldingJson.write(json, entry.getValue());
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  /** The next step. */
  public void add(Step step) {
    if (!telling) {
      throw new IllegalStateException("the story's steps have ended");
    }
    Story.check(step, pods);
    StepJson.write(json, step);
  }

  /** One more field beside the story, such as figures; after it no step can come. */
  public void beside(String name, JsonNode value) {
    endSteps();
    json.writeName(name);
    Json.write(json, value);
  }

  private void endSteps() {
    if (telling) {
      json.writeEndArray();
      telling = false;
    }
  }

  @Override
  public void close() {
    endSteps();
    json.writeEndObject();
    json.close();
  }
}
