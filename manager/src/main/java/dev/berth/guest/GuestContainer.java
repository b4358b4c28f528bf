package dev.berth.guest;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.CpuWish;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A container of another runtime, as that describes it.
 *
 * @param podUid what its pod is known by
 * @param namespace of the pod
 * @param podName of the pod
 * @param name of the container; another attempt at the same container has the same
 * @param id the runtime's own name for this attempt
 * @param sandbox the runtime's own name for the pod as it is now
 * @param cgroupParent the group of the pod, which has the QoS class in its name; may be empty
 * @param annotations the pod's that are about what this container asks for: others' are long, may
 *     be a quarter of a megabyte, and say nothing to us
 * @param allowance what the runtime was told to let it have
 */
public record GuestContainer(
    String podUid,
    String namespace,
    String podName,
    String name,
    String id,
    String sandbox,
    String cgroupParent,
    SortedMap<String, String> annotations,
    Allowance allowance) {
  /** Between the uid of a pod and the name of a container. */
  public static final char SEPARATOR = '/';

  /** No name in Kubernetes is longer, nor any id of a runtime. */
  private static final int LONGEST_NAME = 253;

  /** The kernel takes no longer path. */
  private static final int LONGEST_PATH = 4_095;

  /** Room for some fifty resources. */
  private static final int LONGEST_ANNOTATION = 4_096;

  private static final int SHOWN = 60;

  /** Refuses one that could not be told from another, or kept and shown in a line. */
  public GuestContainer {
    expect(!podUid.isEmpty() && isName(podUid), "pod uid", podUid);
    expect(!name.isEmpty() && isName(name), "container name", name);
    expect(!id.isEmpty() && isName(id), "container id", id);
    expect(isName(sandbox), "sandbox id", sandbox);
    expect(isName(namespace), "namespace", namespace);
    expect(isName(podName), "pod name", podName);
    if (cgroupParent.length() > LONGEST_PATH || isGarbled(cgroupParent)) {
      throw invalid("cgroup parent", "a path", cgroupParent);
    }
    String key = GuestRequest.ANNOTATION + name;
    String asked = annotations.getOrDefault(key, "");
    if (asked.length() > LONGEST_ANNOTATION) {
      throw invalid("annotation " + key, "at most " + LONGEST_ANNOTATION + " characters", asked);
    }
    annotations = counting(key, asked, annotations);
  }

  /** Those annotations that count, without those that are empty. */
  private static SortedMap<String, String> counting(
      String key, String asked, SortedMap<String, String> annotations) {
    SortedMap<String, String> counting = new TreeMap<>();
    if (!asked.isEmpty()) {
      counting.put(key, asked);
    }
    for (CpuWish wish : CpuWish.values()) {
      String said = annotations.getOrDefault(wish.annotation(), "");
      if (!said.isEmpty()) {
        expectTruth(wish, said);
        counting.put(wish.annotation(), said);
      }
    }
    return Collections.unmodifiableSortedMap(counting);
  }

  private static void expectTruth(CpuWish wish, String said) {
    try {
      CpuWish.parse(said);
    } catch (InvalidInputException e) {
      throw new InvalidInputException("annotation " + wish.annotation() + ": " + e.line(), e);
    }
  }

  /** What its pod asks of CPUs of its own. */
  public Set<CpuWish> wishes() {
    // Most have none, and all are asked whenever one comes or goes.
    return annotations.isEmpty()
        ? Set.of()
        : CpuWish.those(wish -> {
          String said = annotations.getOrDefault(wish.annotation(), "");
          return !said.isEmpty() && CpuWish.parse(said);
        });
  }

  private static boolean isName(String text) {
    return text.length() <= LONGEST_NAME && text.indexOf(SEPARATOR) < 0 && !isGarbled(text);
  }

  private static boolean isGarbled(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static void expect(boolean fine, String what, String found) {
    if (!fine) {
      throw invalid(what, "a name without \"/\" of at most " + LONGEST_NAME + " characters", found);
    }
  }

  private static InvalidInputException invalid(String what, String expected, String found) {
    String shown = found.length() > SHOWN ? found.substring(0, SHOWN) + "…" : found;
    return new InvalidInputException(what + ": expected " + expected + ", found \"" + shown + "\"");
  }

  /** What it is known by to the engine, over all attempts. */
  public String uid() {
    return podUid + SEPARATOR + name;
  }

  /** The same with another quota. */
  public GuestContainer withQuota(long quota) {
    return new GuestContainer(
        podUid,
        namespace,
        podName,
        name,
        id,
        sandbox,
        cgroupParent,
        annotations,
        new Allowance(
            allowance.shares(),
            quota,
            allowance.period(),
            allowance.memory(),
            allowance.hugepages()));
  }

  /** How people call its pod. */
  public String title() {
    return namespace.equals("default") || namespace.isEmpty() ? podName : namespace + "/" + podName;
  }
}
