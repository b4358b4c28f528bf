package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.guest.Allowance;
import dev.berth.guest.GuestContainer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

/** A guest as a line of JSON, for the state folder. */
final class GuestText {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private GuestText() {}

  static String write(GuestContainer guest) {
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("origin", Origin.RUNTIME.word())
            .put("podUid", guest.podUid())
            .put("namespace", guest.namespace())
            .put("podName", guest.podName())
            .put("name", guest.name())
            .put("id", guest.id())
            .put("sandbox", guest.sandbox())
            .put("cgroupParent", guest.cgroupParent());
    ObjectNode annotations = json.putObject("annotations");
    guest.annotations().forEach(annotations::put);
    Allowance allowance = guest.allowance();
    ObjectNode amounts =
        json.putObject("allowance")
            .put("shares", allowance.shares())
            .put("quota", allowance.quota())
            .put("period", allowance.period())
            .put("memory", allowance.memory());
    allowance.hugepages().forEach(amounts.putObject("hugepages")::put);
    return json.toString();
  }

  static GuestContainer read(String source, String text) {
    try {
      JsonNode json = MAPPER.readTree(text);
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
