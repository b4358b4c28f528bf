package dev.berth.agent;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Which agent this is and where its things are, as JSON. On the loop only. */
final class AboutJson {
  private AboutJson() {}

  static ObjectNode of(Agent agent) {
    AgentOptions options = agent.options();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("version", options.version())
        .put("pid", ProcessHandle.current().pid())
        .put("state", options.state().toAbsolutePath().toString())
        .put("cgroup", options.cgroup())
        .put("pretending", options.pretending());
    ArrayNode groups = json.putArray("groups");
    if (!options.pretending()) {
      agent.household().groups().forEach(groups::add);
    }
    return json;
  }
}
