package dev.berth.kubelet;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Assignments;
import dev.berth.ledger.CpuPolicy;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A {@code cpu_manager_state}, as Kubernetes 1.36 reads and writes it.
 *
 * <p>Format v1 names containers by their runtime's id alone, v2 by pod and name, v3 adds the CPUs
 * of pods that have a budget of their own.
 *
 * @param format which of the three
 * @param policyName the policy that wrote it
 * @param shared the shared pool
 * @param entries by pod and container, their CPUs; in v1 by container id under the pod ""
 * @param podEntries by pod, the CPUs of its budget; v3 only
 */
public record CpuCheckpoint(
    Format format,
    String policyName,
    CpuSet shared,
    SortedMap<String, SortedMap<String, CpuSet>> entries,
    SortedMap<String, CpuSet> podEntries) {
  /** The versions of the file; they are told apart by their fields and checksum alone. */
  public enum Format {
    /** Up to Kubernetes 1.16: containers by id. */
    V1,
    /** Containers by pod and name. */
    V2,
    /** With pods' own budgets, behind the gate PodLevelResourceManagers. */
    V3
  }

  /** The pod under which v1 entries stand, for v1 does not know pods. */
  public static final String NO_POD = "";

  /** Takes unmodifiable views. */
  public CpuCheckpoint {
    entries = Collections.unmodifiableSortedMap(entries);
    podEntries = Collections.unmodifiableSortedMap(podEntries);
  }

  /** What a node without pods' own budgets writes down. */
  public static CpuCheckpoint of(Assignments assignments) {
    return new CpuCheckpoint(
        Format.V2,
        assignments.policy().kubernetesName(),
        assignments.shared(),
        assignments.exclusive(),
        new TreeMap<>());
  }

  /** What a node starts from. */
  public Assignments assignments() {
    return Assignments.of(CpuPolicy.named(policyName), shared, entries);
  }

  /** The file, byte for byte as a kubelet would write it. */
  public String write() {
    return CpuCheckpointText.write(this);
  }

  /**
   * Reads a file.
   *
   * @param source what it is called in an error
   * @throws dev.berth.cpu.InvalidInputException where it is torn, tampered with or something else
   */
  public static CpuCheckpoint read(String source, String text) {
    return new CpuCheckpointReader(source).read(text);
  }

  /** The checksum that belongs to the contents. */
  long checksum() {
    String fields =
        "PolicyName:(string)"
            + policyName
            + " DefaultCPUSet:(string)"
            + shared
            + " Entries:"
            + dumpedEntries()
            + (format == Format.V3 ? " PodEntries:" + dumpedPodEntries() : "");
    return GoDump.checksum(
        "(*state.CPUManagerCheckpoint){" + fields + " Checksum:(checksum.Checksum)0}");
  }

  private String dumpedEntries() {
    if (format == Format.V1) {
      SortedMap<String, CpuSet> byId = entries.getOrDefault(NO_POD, new TreeMap<>());
      return "(map[string]string)" + GoDump.map(byId, CpuSet::toString);
    }
    return "(map[string]map[string]string)"
        + GoDump.map(entries, containers -> GoDump.map(containers, CpuSet::toString));
  }

  private String dumpedPodEntries() {
    return "(state.PodCPUAssignments)"
        + GoDump.map(podEntries, cpus -> "{CPUSet:" + GoDump.cpuSet(cpus) + "}");
  }
}
