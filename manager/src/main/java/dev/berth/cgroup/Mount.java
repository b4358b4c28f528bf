package dev.berth.cgroup;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A tree of groups that is mounted, as a line of {@code /proc/self/mountinfo} tells.
 *
 * @param root which group of the tree is at the mount point
 * @param point where it is mounted
 * @param type {@code cgroup} or {@code cgroup2}
 * @param options the tree's own options: the controllers' names on version 1
 */
record Mount(String root, String point, String type, Set<String> options) {
  private static final int ROOT = 3;
  private static final int POINT = 4;
  private static final int FEWEST_FIELDS = 6;

  /** The trees of groups among all mounts, in the order they were mounted. */
  static List<Mount> of(String mountinfo) {
    List<Mount> mounts = new ArrayList<>();
    mountinfo.lines().forEach(line -> parse(line).ifPresent(mounts::add));
    return mounts;
  }

  /** Six fields, any number of optional ones, a dash, then type, source and options. */
  private static Optional<Mount> parse(String line) {
    int dash = line.indexOf(" - ");
    String[] fields = line.split(" ", -1);
    String[] rest = dash < 0 ? new String[0] : line.substring(dash + 3).split(" ", -1);
    if (fields.length < FEWEST_FIELDS || rest.length < 3 || !rest[0].startsWith("cgroup")) {
      return Optional.empty();
    }
    return Optional.of(
        new Mount(
            unescaped(fields[ROOT]),
            unescaped(fields[POINT]),
            rest[0],
            Set.copyOf(List.of(rest[2].split(",", -1)).stream().distinct().toList())));
  }

  /** The kernel writes space, tab, line feed and backslash as three octal digits. */
  private static String unescaped(String text) {
    return text.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }

  boolean isUnified() {
    return type.equals("cgroup2");
  }

  /** The folder of the mount point, on a machine that is below {@code machine}. */
  Path folder(Path machine) {
    return machine.resolve(point.substring(1));
  }

  /** The folder of a group of the tree; the mount point where the group is not below it. */
  Path folder(Path machine, String group) {
    String below = root.equals("/") ? group : below(group);
    return below.contains("..")
        ? folder(machine)
        : folder(machine).resolve(below.startsWith("/") ? below.substring(1) : below).normalize();
  }

  private String below(String group) {
    boolean inside = group.equals(root) || group.startsWith(root + "/");
    return inside ? group.substring(root.length()) : "";
  }
}
