package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads pods as the API server does. */
final class PodReader {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
  private static final int LONGEST_NAME = 253;
  private static final List<String> SPEC =
      List.of("containers", "initContainers", "ephemeralContainers", "resources");
  private static final List<String> CONTAINER = List.of("name", "resources", "restartPolicy");
  private static final List<String> METADATA = List.of("name", "namespace", "uid");

  private final List<Read> pods = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();

  private PodReader() {}

  /** A pod, and the object it was read from. */
  record Read(PodManifest manifest, YamlField object) {}

  static List<Read> read(String source, String text) {
    PodReader reader = new PodReader();
    for (YamlValue document : Yaml.read(source, text)) {
      reader.object(YamlField.document(document));
    }
    if (reader.pods.isEmpty()) {
      throw new InvalidInputException(source + ": expected at least one pod, found none");
    }
    return List.copyOf(reader.pods);
  }

  private void object(YamlField object) {
    Optional<YamlField> kind = object.field("kind");
    if (kind.isEmpty()) {
      throw object.error("kind Pod or List", "none");
    }
    if (TemplateReader.makesPods(kind.get().text())) {
      throw kind.get()
          .error(
              "Pod or List",
              "a " + kind.get().text() + ", which makes pods; berth simulate takes one");
    }
    Optional<YamlField> version = object.field("apiVersion");
    if (version.isEmpty() || !version.get().text().equals("v1")) {
      throw version.isEmpty()
          ? kind.get().error("apiVersion v1 beside it", "none")
          : version.get().error("v1");
    }
    switch (kind.get().text()) {
      case "Pod" -> pod(object);
      case "List", "PodList" -> {
        for (YamlField item : object.field("items").map(YamlField::items).orElse(List.of())) {
          object(item);
        }
      }
      default -> throw kind.get().error("Pod or List");
    }
  }

  private void pod(YamlField object) {
    object.expectNoTypo(List.of("apiVersion", "kind", "metadata", "spec"));
    PodManifest manifest = manifest(object, it -> required(it, "spec"));
    YamlField name = required(required(object, "metadata"), "name");
    once(name, "pod " + manifest.namespace() + "/" + manifest.name());
    once(name, "uid " + manifest.pod().uid());
    pods.add(new Read(manifest, object));
  }

  /**
   * A pod with the name of an object.
   *
   * @param spec finds what it asks for in the object: its own, or its template's
   */
  static PodManifest manifest(YamlField object, UnaryOperator<YamlField> spec) {
    YamlField metadata = required(object, "metadata");
    metadata.expectNoTypo(METADATA);
    wishes(metadata);
    YamlField name = required(metadata, "name");
    if (name.text().length() > LONGEST_NAME
        || !name.text().matches(LABEL + "(\\." + LABEL + ")*")) {
      throw name.error("a name of a-z, 0-9, - and . that begins and ends with one of a-z, 0-9");
    }
    String namespace = metadata.field("namespace").map(PodReader::label).orElse("default");
    String uid = metadata.field("uid").map(PodReader::uid).orElse(namespace + "_" + name.text());
    return new PodManifest(namespace, name.text(), pod(uid, spec.apply(object)), name.origin());
  }

  /** What the pod asks of its own CPUs. */
  static Set<CpuWish> wishes(YamlField metadata) {
    Map<String, YamlField> annotations =
        metadata.field("annotations").map(YamlField::fields).orElse(Map.of());
    Set<CpuWish> wishes =
        CpuWish.those(wish -> {
          YamlField said = annotations.get(wish.annotation());
          return said != null && said.as(CpuWish::parse);
        });
    for (Map.Entry<String, YamlField> one : annotations.entrySet()) {
      if (one.getKey().startsWith(CpuWish.PREFIX) && !CpuWish.isAnnotation(one.getKey())) {
        String shown = YamlField.shown(one.getKey());
        throw one.getValue().error(CpuWish.annotations(), "\"" + shown + "\"");
      }
    }
    return wishes;
  }

  private void once(YamlField name, String what) {
    String before = places.put(what, name.origin());
    if (before != null) {
      throw name.error("every pod once", what + " again, first at " + before);
    }
  }

  private static Pod pod(String uid, YamlField spec) {
    spec.expectNoTypo(SPEC);
    Map<String, String> names = new HashMap<>();
    List<Container> containers = new ArrayList<>();
    for (YamlField init : list(spec, "initContainers")) {
      containers.add(container(init, restartsAlways(init) ? Role.SIDECAR : Role.INIT, names));
    }
    required(spec, "containers");
    List<YamlField> apps = list(spec, "containers");
    if (apps.isEmpty()) {
      throw required(spec, "containers").error("at least one container", "none");
    }
    for (YamlField app : apps) {
      containers.add(container(app, Role.APP, names));
    }
    Optional<Resources> budget =
        spec.field("resources").flatMap(field -> PodBudget.read(field, containers));
    Pod pod = spec.within(() -> Pod.of(uid, containers, budget));
    for (YamlField ephemeral : list(spec, "ephemeralContainers")) {
      pod = pod.withEphemeral(ephemeral(ephemeral, names));
    }
    return pod;
  }

  private static List<YamlField> list(YamlField spec, String name) {
    return spec.field(name).map(YamlField::items).orElse(List.of());
  }

  private static Container container(YamlField field, Role role, Map<String, String> names) {
    return new Container(
        name(field, names),
        role,
        field.field("resources").map(ResourcesReader::ofContainer).orElse(Resources.NONE));
  }

  private static String name(YamlField container, Map<String, String> names) {
    YamlField field = required(container, "name");
    container.expectNoTypo(CONTAINER);
    String name = label(field);
    String before = names.put(name, field.origin());
    if (before != null) {
      throw field.error(
          "every container of a pod once", "\"" + name + "\" again, first at " + before);
    }
    return name;
  }

  private static boolean restartsAlways(YamlField container) {
    Optional<YamlField> policy = container.field("restartPolicy");
    return policy.isPresent()
        && switch (policy.get().text()) {
          case "Always" -> true;
          case "OnFailure", "Never" -> false;
          default -> throw policy.get().error("Always, OnFailure or Never");
        };
  }

  private static String ephemeral(YamlField container, Map<String, String> names) {
    String name = name(container, names);
    container
        .field("resources")
        .filter(resources -> !resources.fields().isEmpty())
        .ifPresent(resources -> {
          throw resources.error("none in an ephemeral container", "some");
        });
    return name;
  }

  private static String label(YamlField field) {
    if (!field.text().matches(LABEL)) {
      throw field.error("1 to 63 of a-z, 0-9 and - that begin and end with one of a-z, 0-9");
    }
    return field.text();
  }

  /** Anything that is safe as the name of a folder. */
  private static String uid(YamlField field) {
    if (!field.text().matches("[A-Za-z0-9][A-Za-z0-9._-]{0,127}")) {
      throw field.error("1 to 128 letters, digits, -, _ and . that begin with a letter or digit");
    }
    return field.text();
  }

  static YamlField required(YamlField object, String name) {
    return object.field(name).orElseThrow(() -> object.error(name + " in it", "none"));
  }
}
