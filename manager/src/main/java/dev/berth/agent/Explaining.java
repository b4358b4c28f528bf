package dev.berth.agent;

import dev.berth.http.HttpReply;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tells why a pod sits where it sits. */
final class Explaining {
  private final Agent agent;

  Explaining(Agent agent) {
    this.agent = agent;
  }

  HttpReply explain(String name) {
    Optional<? extends Resident> found = agent.call(() -> agent.household().residents().find(name));
    if (found.isEmpty()) {
      return Api.unknown(name);
    }
    Resident resident = found.get();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", resident.title())
        .put("phase", Descriptions.phase(resident.life().phase()))
        .put("reason", resident.life().reason());
    resident.displaced().ifPresent(why -> json.put("displaced", why));
    ArrayNode lines = json.putArray("lines");
    resident
        .why()
        .ifPresentOrElse(
            why -> why.lines().forEach(line -> lines.add(named(line))),
            () -> lines.add("decided before this agent started; only the outcome was kept"));
    return HttpReply.json(200, json.toString());
  }

  /** The engine knows containers of a runtime by uids that nobody can remember. */
  private String named(String line) {
    String named = line;
    for (Resident resident : agent.household().residents().all()) {
      named = named.replace(resident.uid(), resident.label());
    }
    return named;
  }
}
