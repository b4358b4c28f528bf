package dev.berth.kubelet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pod that there may be several of: one by itself, or what a Deployment and its like make.
 *
 * @param kind of the object that it comes from
 * @param manifest the pod, under the object's own name
 * @param replicas how many the object asks for; 1 for a pod by itself
 * @param annotations by name, those of the object and of its template, of which the template's
 *     count
 */
public record PodTemplate(
    String kind, PodManifest manifest, int replicas, Map<String, Annotation> annotations) {
  /**
   * A word that somebody put on an object.
   *
   * @param text what it says
   * @param place where it stands, as an error begins
   */
  public record Annotation(String text, String place) {}

  /**
   * What was found in a file.
   *
   * @param templates in the order of the file
   * @param passedOver what else is there, a line each: a Service, a ConfigMap
   */
  public record Found(List<PodTemplate> templates, List<String> passedOver) {
    /** Takes copies. */
    public Found {
      templates = List.copyOf(templates);
      passedOver = List.copyOf(passedOver);
    }
  }

  /** Takes an unmodifiable copy. */
  public PodTemplate {
    annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
  }

  /** Whether it is a pod by itself rather than what another object makes. */
  public boolean isAlone() {
    return kind.equals(TemplateReader.POD);
  }

  /**
   * Reads the pods of a file, also those that a Deployment, ReplicaSet, StatefulSet, DaemonSet or
   * Job would make. Objects that make none are passed over.
   *
   * @param source what the file is called in an error
   * @throws dev.berth.cpu.InvalidInputException naming line, path, what was expected and found
   */
  public static Found read(String source, String text) {
    return new TemplateReader(source).read(text);
  }
}
