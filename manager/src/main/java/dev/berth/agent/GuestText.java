package dev.berth.agent;

import dev.berth.agent.state.JsonLine;
import dev.berth.cpu.InvalidInputException;
import dev.berth.guest.Allowance;
import dev.berth.guest.GuestContainer;
import dev.berth.json.Json;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A guest as a line of JSON, for the state folder. */
final class GuestText {
  private GuestText() {}

  /** Written as it goes, without a tree: whoever creates the container waits for it. */
  static String write(GuestContainer guest) {
    JsonLine json = new JsonLine().object();
    json.put("origin", Origin.RUNTIME.word());
    json.put("podUid", guest.podUid());
    json.put("namespace", guest.namespace());
    json.put("podName", guest.podName());
    json.put("name", guest.name());
    json.put("id", guest.id());
    json.put("sandbox", guest.sandbox());
    json.put("cgroupParent", guest.cgroupParent());
    json.object("annotations");
    guest.annotations().forEach(json::put);
    json.end();
    write(json, guest.allowance());
    return json.end().toString();
  }

  private static void write(JsonLine json, Allowance allowance) {
    json.object("allowance");
    json.put("shares", allowance.shares());
    json.put("quota", allowance.quota());
    json.put("period", allowance.period());
    json.put("memory", allowance.memory());
    json.object("hugepages");
    allowance.hugepages().forEach(json::put);
    json.end();
    json.end();
  }

  static GuestContainer read(String source, String text) {
    try {
      JsonNode json = Json.read(text);
      JsonNode amounts = json.required("allowance");
      SortedMap<String, Long> hugepages = new TreeMap<>();
      for (Map.Entry<String, JsonNode> one : amounts.required("hugepages").properties()) {
        hugepages.put(one.getKey(), one.getValue().asLong());
      }
      SortedMap<String, String> annotations = new TreeMap<>();
      for (Map.Entry<String, JsonNode> one : json.required("annotations").properties()) {
        annotations.put(one.getKey(), one.getValue().asString());
      }
      return new GuestContainer(
          json.required("podUid").asString(),
          json.required("namespace").asString(),
          json.required("podName").asString(),
          json.required("name").asString(),
          json.required("id").asString(),
          json.required("sandbox").asString(),
          json.required("cgroupParent").asString(),
          annotations,
          new Allowance(
              amounts.required("shares").asLong(),
              amounts.required("quota").asLong(),
              amounts.required("period").asLong(),
              amounts.required("memory").asLong(),
              hugepages));
    } catch (JacksonException e) {
      throw new InvalidInputException(
          source + ": expected a container as the agent writes it, found something else", e);
    }
  }
}
