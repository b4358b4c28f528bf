package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import dev.berth.kubelet.RunnablePod;
import dev.berth.linux.ProcessId;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A resident as a line of JSON, for the state folder. */
final class ResidentText {
  private ResidentText() {}

  static String write(RunnablePod pod, Origin origin, Optional<ProcessId> process) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("origin", origin.word());
    process.ifPresent(id -> json.put("pid", id.pid()).put("start", id.startTicks()));
    json.set("pod", Json.read(pod.text()));
    return Json.write(json);
  }

  static Tenant read(String source, String text) {
    try {
      JsonNode json = Json.read(text);
      RunnablePod pod = RunnablePod.read(source, Json.write(json.required("pod"))).getFirst();
      Optional<ProcessId> process =
          json.has("pid")
              ? Optional.of(
                  new ProcessId(json.required("pid").asLong(), json.required("start").asLong()))
              : Optional.empty();
      return new Tenant(pod, Origin.ofWord(json.required("origin").asString()), process);
    } catch (JacksonException | IllegalArgumentException e) {
      throw new InvalidInputException(
          source + ": expected a pod as the agent writes it, found something else", e);
    }
  }
}
