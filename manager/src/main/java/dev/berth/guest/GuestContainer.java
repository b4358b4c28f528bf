package dev.berth.guest;

import dev.berth.cpu.InvalidInputException;
import java.util.Collections;
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
 * @param annotations the pod's
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

  /** Refuses one that could not be told from another. */
  public GuestContainer {
    expect(!podUid.isEmpty() && podUid.indexOf(SEPARATOR) < 0, "pod uid", podUid);
    expect(!name.isEmpty() && name.indexOf(SEPARATOR) < 0, "container name", name);
    expect(!id.isEmpty(), "container id", id);
    annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
  }

  private static void expect(boolean fine, String what, String found) {
    if (!fine) {
      throw new InvalidInputException(
          what + ": expected a name without \"/\", found \"" + found + "\"");
    }
  }

  /** What it is known by to the engine, over all attempts. */
  public String uid() {
    return podUid + SEPARATOR + name;
  }

  /** How people call its pod. */
  public String title() {
    return namespace.equals("default") || namespace.isEmpty() ? podName : namespace + "/" + podName;
  }
}
