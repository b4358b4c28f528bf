package dev.berth.agent;

import dev.berth.json.Json;
import tools.jackson.databind.node.JsonNodeFactory;

/** An event as a line of JSON. */
final class EventJson {
  private EventJson() {}

  static String of(Event event) {
    return Json.write(
        JsonNodeFactory.instance
            .objectNode()
            .put("number", event.number())
            .put("time", event.time().toString())
            .put("kind", event.kind())
            .put("pod", event.pod())
            .put("message", event.message()));
  }
}
