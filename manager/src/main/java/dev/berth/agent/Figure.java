package dev.berth.agent;

import dev.berth.json.Json;
import dev.berth.ledger.Holding;
import dev.berth.story.Story.Told;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One whom the agent's story tells of. One who asks for something else under the same uid is
 * another, so that each has the manifest by which it was decided on.
 *
 * @param uid what the ledger knows it by
 * @param json as it stands among the pods of a story
 */
record Figure(String uid, String json) {
  static Figure of(Resident resident) {
    return of(Told.of(resident.namespace(), resident.name(), resident.request()));
  }

  /** Of one nothing is known but what it has: it is told as if it had asked for just that. */
  static Figure unknown(String uid, Holding holding) {
    List<Container> containers = new ArrayList<>();
    holding
        .cpus()
        .forEach((name, cpus) ->
            containers.add(
                new Container(
                    name,
                    Role.APP,
                    Resources.guaranteed(
                        Map.of(
                            Resources.CPU,
                            Quantity.of(cpus.size()),
                            Resources.MEMORY,
                            Quantity.of(1))))));
    if (containers.isEmpty()) {
      containers.add(new Container("unknown", Role.APP, Resources.NONE));
    }
    return of(Told.of("default", uid, Pod.of(uid, containers)));
  }

  private static Figure of(Told told) {
    String json =
        Json.write(
            JsonNodeFactory.instance
                .objectNode()
                .put("uid", told.uid())
                .put("namespace", told.namespace())
                .put("name", told.name())
                .put("qos", told.qos())
                .set("manifest", told.manifest()));
    return new Figure(told.uid(), json);
  }
}
