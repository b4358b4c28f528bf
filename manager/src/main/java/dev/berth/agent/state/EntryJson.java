package dev.berth.agent.state;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import dev.berth.ledger.Holding;
import dev.berth.workload.Pod;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The lines of the journal as JSON: an object of one field, named for what happened. */
final class EntryJson {
  private EntryJson() {}

  /** Written as it goes, without a tree: somebody waits for most lines. */
  static byte[] write(Entry entry) {
    JsonLine json = new JsonLine().object();
    write(json, entry);
    return json.end().toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(JsonLine json, Entry entry) {
    switch (entry) {
      case Entry.Header header -> {
        json.object("berth");
        json.put("version", header.version());
        json.put("boot", header.bootId());
        json.put("policy", header.policy());
        json.array("options");
        header.options().forEach(json::add);
        json.endArray();
        json.end();
      }
      case Entry.Known(PodRecord pod) -> {
        json.object("pod");
        write(json, pod);
        json.end();
      }
      case Entry.Unknown(String uid, Holding holding, boolean found) -> {
        json.object("unknown");
        json.put("uid", uid);
        HoldingJson.write(json, "has", holding);
        if (found) {
          json.put("found", "container");
        }
        json.end();
      }
      case Entry.Stopping(String uid) -> json.put("stopping", uid);
      case Entry.Ended(String uid, Standing.Ended how, Holding holding) -> {
        json.object("ended");
        json.put("uid", uid);
        json.put("phase", how.phase());
        json.put("exits", how.exits());
        HoldingJson.write(json, "has", holding);
        json.end();
      }
      case Entry.Removed(String uid) -> json.put("removed", uid);
    }
  }

  private static void write(JsonLine json, PodRecord pod) {
    PodJson.write(json, "pod", pod.pod());
    json.put("spec", pod.spec());
    HoldingJson.write(json, "has", pod.holding());
    pod.displaced().ifPresent(why -> json.put("displaced", why));
    switch (pod.standing()) {
      case Standing.Admitted _ -> json.put("standing", "admitted");
      case Standing.Stopping _ -> json.put("standing", "stopping");
      case Standing.Ended(String phase, String exits) -> {
        json.put("standing", "ended");
        json.put("phase", phase);
        json.put("exits", exits);
      }
      case Standing.Refused(String reason) -> {
        json.put("standing", "refused");
        json.put("reason", reason);
      }
    }
  }

  /**
   * Reads a line.
   *
   * @throws InvalidInputException where it is something else, without its place
   */
  static Entry read(String text) {
    JsonNode root = parse(text);
    if (!root.isObject() || root.size() != 1) {
      throw JsonFields.error("an object of one field", root);
    }
    String kind = root.propertyNames().iterator().next();
    JsonNode json = root.path(kind);
    return switch (kind) {
      case "berth" ->
          new Entry.Header(
              (int) Math.min(JsonFields.number(json, "version"), Integer.MAX_VALUE),
              JsonFields.text(json, "boot"),
              JsonFields.text(json, "policy"),
              JsonFields.list(json, "options", JsonFields::string));
      case "pod" -> new Entry.Known(pod(json));
      case "unknown" ->
          new Entry.Unknown(JsonFields.text(json, "uid"), holding(json), json.has("found"));
      case "stopping" -> new Entry.Stopping(JsonFields.string(json));
      case "ended" -> new Entry.Ended(JsonFields.text(json, "uid"), ended(json), holding(json));
      case "removed" -> new Entry.Removed(JsonFields.string(json));
      default -> throw JsonFields.error("a known kind of line", root);
    };
  }

  /** The version that a first line names, whatever else newer ones may have in it. */
  static Optional<Long> version(String text) {
    JsonNode version = parse(text).path("berth").path("version");
    return version.isIntegralNumber() && version.canConvertToLong()
        ? Optional.of(version.longValue())
        : Optional.empty();
  }

  private static JsonNode parse(String text) {
    try {
      return Json.read(text);
    } catch (JacksonException e) {
      throw new InvalidInputException("expected JSON, found a fault", e);
    }
  }

  private static Holding holding(JsonNode json) {
    return HoldingJson.read(json.path("has"));
  }

  private static Standing.Ended ended(JsonNode json) {
    return new Standing.Ended(JsonFields.text(json, "phase"), JsonFields.text(json, "exits"));
  }

  private static PodRecord pod(JsonNode json) {
    Pod pod = PodJson.read(json.path("pod"));
    Optional<String> displaced =
        json.has("displaced") ? Optional.of(JsonFields.text(json, "displaced")) : Optional.empty();
    return new PodRecord(
        pod, JsonFields.text(json, "spec"), holding(json), displaced, standing(json));
  }

  private static Standing standing(JsonNode json) {
    String name = JsonFields.text(json, "standing");
    return switch (name) {
      case "admitted" -> new Standing.Admitted();
      case "stopping" -> new Standing.Stopping();
      case "ended" -> ended(json);
      case "refused" -> new Standing.Refused(JsonFields.text(json, "reason"));
      default -> throw new InvalidInputException("expected a pod's standing, found " + name);
    };
  }
}
