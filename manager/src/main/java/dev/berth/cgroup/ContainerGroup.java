package dev.berth.cgroup;

import java.util.List;

/**
 * The group of a container, as OCI's runtime specification has it told to whoever makes the group.
 *
 * @param told a path from the root of every tree, or {@code slice:prefix:name} where systemd makes
 *     it
 */
record ContainerGroup(String told) {
  private static final String SLICE = ".slice";
  private static final String USUAL_SLICE = "system.slice";

  /** Its path from the root of every tree. */
  String path() {
    List<String> parts = List.of(told.split(":", -1));
    return parts.size() == 3
        ? slices(parts.get(0)) + "/" + parts.get(1) + "-" + parts.get(2) + ".scope"
        : told;
  }

  /** A slice lies in the one whose name is its own up to the last dash, and so on. */
  private static String slices(String slice) {
    if (slice.equals("-" + SLICE)) {
      return "";
    }
    String name = (slice.isEmpty() ? USUAL_SLICE : slice).replace(SLICE, "");
    StringBuilder path = new StringBuilder();
    for (int dash = name.indexOf('-'); dash >= 0; dash = name.indexOf('-', dash + 1)) {
      path.append('/').append(name, 0, dash).append(SLICE);
    }
    return path.append('/').append(name).append(SLICE).toString();
  }
}
