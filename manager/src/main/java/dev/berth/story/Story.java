package dev.berth.story;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Holding;
import dev.berth.workload.Pod;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happened on one machine under one configuration.
 *
 * @param title what people call it
 * @param began when the time of the steps begins; none where it is simulated
 * @param machine the machine, in its JSON form
 * @param configuration the configuration as YAML, every setting written out
 * @param reserved the CPUs that are kept back for the system
 * @param pods each once; steps name them by their position here
 * @param start what stood before the first step
 * @param steps what happened, in order
 */
public record Story(
    String title,
    Optional<Instant> began,
    ObjectNode machine,
    String configuration,
    CpuSet reserved,
    List<Told> pods,
    Start start,
    List<Step> steps) {
  /** Takes copies, and refuses a step or a holding of a pod that is not there. */
  public Story {
    pods = List.copyOf(pods);
    steps = List.copyOf(steps);
    for (int pod : start.holding().keySet()) {
      check("start", pod, pods.size());
    }
    for (Step step : steps) {
      check(step, pods.size());
    }
  }

  static void check(Step step, int pods) {
    step.pod().ifPresent(pod -> check("a step at " + step.at() + " s", pod, pods));
  }

  private static void check(String where, int pod, int pods) {
    if (pod < 0 || pod >= pods) {
      throw new InvalidInputException(
          "story: " + where + ": expected a pod from 0 to " + (pods - 1) + ", found " + pod);
    }
  }

  /** The same machine, configuration, pods and start, with nothing that has happened yet. */
  public Story opening() {
    return with(List.of());
  }

  /** The same with other steps. */
  public Story with(List<Step> others) {
    return new Story(title, began, machine, configuration, reserved, pods, start, others);
  }

  /** The same to be looked at only: without what it takes to decide on the pods again. */
  public Story withoutManifests() {
    List<Told> brief = pods.stream().map(Told::withoutManifest).toList();
    return new Story(title, began, machine, configuration, reserved, brief, start, steps);
  }

  /**
   * A pod that a story tells of.
   *
   * @param uid what decisions know it by
   * @param namespace its namespace
   * @param name what people know it by
   * @param qos its class, by Kubernetes' name
   * @param manifest as much of it, as Kubernetes writes it, as it takes to decide on it again; not
   *     to be changed; empty in a story that is only looked at
   */
  public record Told(String uid, String namespace, String name, String qos, ObjectNode manifest) {
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

    /** With the manifest that follows from what the engine decides on. */
    public static Told of(String namespace, String name, Pod pod) {
      return new Told(
          pod.uid(),
          namespace,
          name,
          pod.qosClass().kubernetesName(),
          ManifestJson.write(namespace, name, pod));
    }

    /** What people call it: its name, behind its namespace where that is not the default. */
    public String title() {
      return namespace.equals("default") ? name : namespace + "/" + name;
    }

    /** The same with a word on it that decisions do not depend on. */
    public Told annotated(String key, String value) {
      return new Told(uid, namespace, name, qos, ManifestJson.annotated(manifest, key, value));
    }

    Told withoutManifest() {
      return new Told(uid, namespace, name, qos, NOTHING);
    }

    /** Another pod of the same kind, without annotations; what is the same in both is shared. */
    public Told named(String otherName, String otherUid) {
      return new Told(
          otherUid,
          namespace,
          otherName,
          qos,
          ManifestJson.renamed(manifest, namespace, otherName, otherUid));
    }
  }

  /**
   * What stands before the first step.
   *
   * @param shared the shared pool
   * @param holding by position of the pod, what those have who are there already
   */
  public record Start(CpuSet shared, SortedMap<Integer, Holding> holding) {
    /** Takes an unmodifiable copy. */
    public Start {
      holding = Collections.unmodifiableSortedMap(new TreeMap<>(holding));
    }

    /** Nobody is there. */
    public static Start empty(CpuSet shared) {
      return new Start(shared, Collections.emptySortedMap());
    }
  }
}
