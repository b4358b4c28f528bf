package dev.berth.cgroup;

/** Whether groups can be used on a machine. */
public sealed interface Detected {
  /** They can. */
  record Usable(Cgroups cgroups) implements Detected {}

  /**
   * They cannot.
   *
   * @param why one line for a person
   */
  record Unusable(String why) implements Detected {}
}
