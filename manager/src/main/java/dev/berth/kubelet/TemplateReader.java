package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.PodTemplate.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads pods and the objects that make pods. */
final class TemplateReader {
  static final String POD = "Pod";

  /** What makes pods, and the field that says how many; empty where a node gets one. */
  private static final Map<String, String> MAKERS =
      Map.of(
          "Deployment", "replicas",
          "ReplicaSet", "replicas",
          "ReplicationController", "replicas",
          "StatefulSet", "replicas",
          "Job", "parallelism",
          "DaemonSet", "");

  private static final List<String> KNOWN =
      List.of(
          POD,
          "List",
          "PodList",
          "Deployment",
          "ReplicaSet",
          "ReplicationController",
          "StatefulSet",
          "Job",
          "DaemonSet");

  private final String source;
  private final List<PodTemplate> templates = new ArrayList<>();
  private final List<String> passedOver = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();

  TemplateReader(String source) {
    this.source = source;
  }

  /** Whether pods come of objects of this kind. */
  static boolean makesPods(String kind) {
    return MAKERS.containsKey(kind);
  }

  PodTemplate.Found read(String text) {
    for (YamlValue document : Yaml.read(source, text)) {
      object(YamlField.document(document));
    }
    if (templates.isEmpty()) {
      throw new InvalidInputException(
          source
              + ": expected at least one of "
              + String.join(", ", KNOWN)
              + ", found "
              + (passedOver.isEmpty() ? "nothing" : "only what makes no pods"));
    }
    return new PodTemplate.Found(templates, passedOver);
  }

  private void object(YamlField object) {
    YamlField kind =
        object
            .field("kind")
            .orElseThrow(() -> object.error("kind Pod, or one that makes pods", "none"));
    String name = kind.text();
    if (name.equals("List") || name.equals("PodList")) {
      object.field("items").map(YamlField::items).orElse(List.of()).forEach(this::object);
    } else if (name.equals(POD)) {
      object.expectNoTypo(List.of("apiVersion", "kind", "metadata", "spec"));
      add(name, object, it -> PodReader.required(it, "spec"), 1, annotations(object));
    } else if (MAKERS.containsKey(name)) {
      made(name, object);
    } else {
      passOver(kind);
    }
  }

  private void made(String kind, YamlField object) {
    YamlField spec = PodReader.required(object, "spec");
    YamlField template = PodReader.required(spec, "template");
    Map<String, Annotation> annotations = annotations(object);
    annotations.putAll(annotations(template));
    int replicas = spec.field(MAKERS.getOrDefault(kind, "")).map(TemplateReader::count).orElse(1);
    add(kind, object, it -> PodReader.required(template, "spec"), replicas, annotations);
  }

  private void add(
      String kind,
      YamlField object,
      UnaryOperator<YamlField> spec,
      int replicas,
      Map<String, Annotation> annotations) {
    PodManifest manifest = PodReader.manifest(object, spec);
    String what = kind + " " + manifest.namespace() + "/" + manifest.name();
    String before = places.put(what, manifest.place());
    if (before != null) {
      throw new InvalidInputException(
          manifest.place()
              + ": metadata.name: expected every name once, found "
              + what
              + " again, first at "
              + before);
    }
    templates.add(new PodTemplate(kind, manifest, replicas, annotations));
  }

  private void passOver(YamlField kind) {
    Optional<String> near = Nearest.to(kind.text(), KNOWN);
    if (near.isPresent()) {
      throw kind.error("a known kind", "\"" + kind.text() + "\", did you mean " + near.get() + "?");
    }
    passedOver.add(kind.origin() + ": passed over a " + kind.text() + ", which makes no pods");
  }

  private static int count(YamlField field) {
    if (!field.text().matches("[0-9]{1,7}")) {
      throw field.error("a number from 0 to 9999999");
    }
    return Integer.parseInt(field.text());
  }

  private static Map<String, Annotation> annotations(YamlField object) {
    Map<String, Annotation> annotations = new LinkedHashMap<>();
    object
        .field("metadata")
        .flatMap(metadata -> metadata.field("annotations"))
        .ifPresent(field ->
            field
                .fields()
                .forEach(
                    (name, one) -> annotations.put(name, new Annotation(one.text(), one.place()))));
    return annotations;
  }
}
