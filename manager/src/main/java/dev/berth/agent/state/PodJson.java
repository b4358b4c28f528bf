package dev.berth.agent.state;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** A pod as JSON, so that one can be decided on again without knowing where it came from. */
final class PodJson {
  private PodJson() {}

  static void write(JsonLine json, String field, Pod pod) {
    json.object(field);
    json.put("uid", pod.uid());
    json.array("containers");
    for (Container container : pod.containers()) {
      json.object();
      json.put("name", container.name());
      json.put("role", container.role().name().toLowerCase(Locale.ROOT));
      resources(json, container.resources());
      json.end();
    }
    json.endArray();
    pod.budget()
        .ifPresent(budget -> {
          json.object("budget");
          resources(json, budget);
          json.end();
        });
    if (!pod.ephemeral().isEmpty()) {
      json.array("ephemeral");
      pod.ephemeral().forEach(json::add);
      json.endArray();
    }
    json.end();
  }

  private static void resources(JsonLine json, Resources resources) {
    amounts(json, "requests", resources.requests());
    amounts(json, "limits", resources.limits());
  }

  private static void amounts(JsonLine json, String field, Map<String, Quantity> amounts) {
    json.object(field);
    new TreeMap<>(amounts).forEach((name, amount) -> json.put(name, amount.toString()));
    json.end();
  }

  static Pod read(JsonNode json) {
    List<Container> containers = JsonFields.list(json, "containers", PodJson::container);
    Optional<Resources> budget =
        json.has("budget") ? Optional.of(resources(json.path("budget"))) : Optional.empty();
    Pod pod = Pod.of(JsonFields.text(json, "uid"), containers, budget);
    for (String name : JsonFields.list(json, "ephemeral", JsonFields::string)) {
      pod = pod.withEphemeral(name);
    }
    return pod;
  }

  private static Container container(JsonNode json) {
    return new Container(
        JsonFields.text(json, "name"), role(JsonFields.text(json, "role")), resources(json));
  }

  private static Container.Role role(String name) {
    return Arrays.stream(Container.Role.values())
        .filter(role -> role.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .orElseThrow(() -> new InvalidInputException("expected a container's role, found " + name));
  }

  private static Resources resources(JsonNode json) {
    return new Resources(amounts(json, "requests"), amounts(json, "limits"));
  }

  private static Map<String, Quantity> amounts(JsonNode json, String field) {
    return JsonFields.map(json, field, amount -> Quantity.parse(JsonFields.string(amount)));
  }
}
