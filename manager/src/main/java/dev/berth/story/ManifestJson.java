package dev.berth.story;

import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A pod as Kubernetes writes it, with no more than decisions depend on. */
final class ManifestJson {
  private ManifestJson() {}

  static ObjectNode write(String namespace, String name, Pod pod) {
    ObjectNode spec = JsonNodeFactory.instance.objectNode();
    if (pod.containers().stream().anyMatch(container -> container.role() != Role.APP)) {
      spec.putArray("initContainers");
    }
    ArrayNode apps = spec.putArray("containers");
    for (Container container : pod.containers()) {
      switch (container.role()) {
        case INIT -> container(spec.withArray("initContainers"), container);
        case SIDECAR ->
            container(spec.withArray("initContainers"), container).put("restartPolicy", "Always");
        case APP -> container(apps, container);
      }
    }
    if (!pod.ephemeral().isEmpty()) {
      ArrayNode ephemeral = spec.putArray("ephemeralContainers");
      pod.ephemeral().forEach(one -> ephemeral.addObject().put("name", one));
    }
    pod.budget().ifPresent(budget -> resources(spec, budget));
    return manifest(namespace, name, pod.uid(), spec);
  }

  /** The same pod under another name; the part that is as large as it likes is shared. */
  static ObjectNode renamed(ObjectNode manifest, String namespace, String name, String uid) {
    return manifest(namespace, name, uid, manifest.path("spec"));
  }

  private static ObjectNode manifest(String namespace, String name, String uid, JsonNode spec) {
    ObjectNode manifest =
        JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Pod");
    manifest.putObject("metadata").put("namespace", namespace).put("name", name).put("uid", uid);
    manifest.set("spec", spec);
    return manifest;
  }

  private static ObjectNode container(ArrayNode list, Container container) {
    ObjectNode json = list.addObject().put("name", container.name());
    resources(json, container.resources());
    return json;
  }

  private static void resources(ObjectNode json, Resources resources) {
    if (resources.equals(Resources.NONE)) {
      return;
    }
    ObjectNode both = json.putObject("resources");
    amounts(both, "requests", resources.requests());
    amounts(both, "limits", resources.limits());
  }

  private static void amounts(ObjectNode json, String field, Map<String, Quantity> amounts) {
    if (!amounts.isEmpty()) {
      ObjectNode inner = json.putObject(field);
      new TreeMap<>(amounts).forEach((name, amount) -> inner.put(name, amount.toString()));
    }
  }
}
