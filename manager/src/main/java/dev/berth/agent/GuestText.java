package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.guest.Allowance;
import dev.berth.guest.GuestContainer;
import java.io.StringWriter;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A guest as a line of JSON, for the state folder. */
final class GuestText {
  /** A container has some hundred characters. */
  private static final int USUAL = 1_024;

  private static final JsonFactory FACTORY = new JsonFactory();

  private GuestText() {}

  /** Written as it goes, without a tree: whoever creates the container waits for it. */
  static String write(GuestContainer guest) {
    StringWriter text = new StringWriter(USUAL);
    try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("origin", Origin.RUNTIME.word());
      json.writeStringProperty("podUid", guest.podUid());
      json.writeStringProperty("namespace", guest.namespace());
      json.writeStringProperty("podName", guest.podName());
      json.writeStringProperty("name", guest.name());
      json.writeStringProperty("id", guest.id());
      json.writeStringProperty("sandbox", guest.sandbox());
      json.writeStringProperty("cgroupParent", guest.cgroupParent());
      json.writeObjectPropertyStart("annotations");
      guest.annotations().forEach(json::writeStringProperty);
      json.writeEndObject();
      write(json, guest.allowance());
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Allowance allowance) {
    json.writeObjectPropertyStart("allowance");
    json.writeNumberProperty("shares", allowance.shares());
    json.writeNumberProperty("quota", allowance.quota());
    json.writeNumberProperty("period", allowance.period());
    json.writeNumberProperty("memory", allowance.memory());
    json.writeObjectPropertyStart("hugepages");
    allowance.hugepages().forEach(json::writeNumberProperty);
    json.writeEndObject();
    json.writeEndObject();
  }

  static GuestContainer read(String source, String text) {
    try {
      JsonNode json = JsonMapper.shared().readTree(text);
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
