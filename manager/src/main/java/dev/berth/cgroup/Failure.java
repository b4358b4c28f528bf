package dev.berth.cgroup;

/**
 * Something that could not be done to a group.
 *
 * @param group the group
 * @param file the file or folder it was about
 * @param value what was to be written; empty where nothing was
 * @param why the reason, in a few words
 */
public record Failure(GroupPath group, String file, String value, String why) {
  /** The one line for a person. */
  @Override
  public String toString() {
    String what = value.isEmpty() ? file : file + " = " + value;
    return "cgroup " + group + ": " + what + ": " + why;
  }
}
