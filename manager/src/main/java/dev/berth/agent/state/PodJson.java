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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A pod as JSON, so that one can be decided on again without knowing where it came from. */
final class PodJson {
  private PodJson() {}

  static ObjectNode write(Pod pod) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("uid", pod.uid());
    ArrayNode containers = json.putArray("containers");
    for (Container container : pod.containers()) {
      ObjectNode one = containers.addObject().put("name", container.name());
      one.put("role", container.role().name().toLowerCase(Locale.ROOT));
      resources(one, container.resources());
    }
    pod.budget().ifPresent(budget -> resources(json.putObject("budget"), budget));
    if (!pod.ephemeral().isEmpty()) {
      pod.ephemeral().forEach(json.putArray("ephemeral")::add);
    }
    return json;
  }

  private static void resources(ObjectNode json, Resources resources) {
    amounts(json.putObject("requests"), resources.requests());
    amounts(json.putObject("limits"), resources.limits());
  }

  private static void amounts(ObjectNode json, Map<String, Quantity> amounts) {
    new TreeMap<>(amounts).forEach((name, amount) -> json.put(name, amount.toString()));
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
