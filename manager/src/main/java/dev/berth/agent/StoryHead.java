package dev.berth.agent;

import dev.berth.json.Json;
import dev.berth.ledger.Node;
import dev.berth.render.MachineJson;
import dev.berth.story.StoryJson;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a story begins with: where it happens, under which rules, and since when.
 *
 * @param text its fields as JSON, without the brace that ends them
 * @param origin the clock at its beginning, in nanoseconds
 */
record StoryHead(String text, long origin) {
  /** Of a story that has not begun. */
  static final StoryHead NONE = new StoryHead("{\"story\":" + StoryJson.VERSION, System.nanoTime());

  /**
   * Of a story that begins now.
   *
   * @param caution what everybody should know who counts on exclusive CPUs; empty where they can
   */
  static StoryHead of(Node node, String configuration, String caution) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("story", StoryJson.VERSION)
        .put("title", "agent on " + node.machine().name())
        .put("began", Instant.now().toString())
        .set("machine", MachineJson.tree(node.machine()));
    if (!caution.isEmpty()) {
      json.put("caution", caution);
    }
    json.put("configuration", configuration).put("reserved", node.reserved().toString());
    String text = Json.write(json);
    return new StoryHead(text.substring(0, text.length() - 1), System.nanoTime());
  }

  /** Seconds since the beginning, to the millisecond. */
  double elapsed() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - origin) / 1e3;
  }
}
