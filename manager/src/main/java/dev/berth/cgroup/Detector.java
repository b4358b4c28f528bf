package dev.berth.cgroup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds out how a machine controls groups.
 *
 * <p>Where any controller that we use is mounted by version 1, version 1 it is: a controller is in
 * one tree only, and the tree of version 2 beside it (as systemd mounts it) has none of them.
 */
final class Detector {
  private final Path machine;
  private final String name;
  private final Predicate<Path> writable;
  private final List<Mount> mounts;

  /** The group of our own process by controller; by the empty name on version 2. */
  private final Map<String, String> homes = new HashMap<>();

  private final List<String> notes = new ArrayList<>();

  private Detector(Path machine, String name, Predicate<Path> writable) throws IOException {
    this.machine = machine;
    this.name = name;
    this.writable = writable;
    mounts = Mount.of(Files.readString(machine.resolve("proc/self/mountinfo")));
    Files.readString(machine.resolve("proc/self/cgroup")).lines().forEach(this::home);
  }

  static Detected detect(Path machine, String name) {
    return detect(machine, name, Files::isWritable);
  }

  /**
   * The same with another answer to what we may write: root may write anything in a captured tree.
   */
  static Detected detect(Path machine, String name, Predicate<Path> writable) {
    GroupPath.checkName(name);
    try {
      Detector detector = new Detector(machine, name, writable);
      for (Mount mount : detector.mounts) {
        if (!mount.isUnified() && Controller.anyOf(mount.options())) {
          return detector.versionOne();
        }
      }
      for (Mount mount : detector.mounts) {
        if (mount.isUnified()) {
          return detector.versionTwo(mount);
        }
      }
      return new Detected.Unusable("cgroups: none is mounted, so nothing can be enforced by them");
    } catch (IOException e) {
      return new Detected.Unusable(
          "cgroups: " + machine.resolve("proc/self") + " cannot be read: " + Reasons.of(e));
    }
  }

  /** A number, the controllers, the group. */
  private void home(String line) {
    String[] fields = line.split(":", 3);
    if (fields.length == 3) {
      for (String controller : fields[1].split(",", -1)) {
        homes.put(controller, fields[2]);
      }
    }
  }

  private Detected versionOne() throws IOException {
    Map<Controller, Path> parents = new EnumMap<>(Controller.class);
    List<Path> found = new ArrayList<>();
    String place = "cgroup v1 at " + placeOf(Controller.CPUSET);
    for (Controller controller : Controller.values()) {
      Optional<Mount> mount = mountOf(controller);
      if (mount.isEmpty()) {
        missing(place, controller, "no " + controller.word() + " controller");
        continue;
      }
      Path home = mount.get().folder(machine, homes.getOrDefault(controller.word(), "/"));
      Path point = mount.get().folder(machine);
      if (writable.test(point)) {
        parents.put(controller, point);
        found.add(home);
      } else if (writable.test(home)) {
        parents.put(controller, home);
        found.add(home);
      } else {
        missing(place, controller, point + " may not be written");
      }
    }
    if (!parents.containsKey(Controller.CPUSET)) {
      return new Detected.Unusable(notes.getFirst());
    }
    return usable(
        new Layout(new VersionOne(pageSize()), place, parents, name, false, false, found, notes));
  }

  private Optional<Mount> mountOf(Controller controller) {
    return mounts.stream()
        .filter(mount -> !mount.isUnified() && mount.options().contains(controller.word()))
        .findFirst();
  }

  private String placeOf(Controller controller) {
    return mountOf(controller)
        .or(() -> mounts.stream().filter(mount -> !mount.isUnified()).findFirst())
        .map(mount -> String.valueOf(Path.of(mount.point()).getParent()))
        .orElse("nowhere");
  }

  private void missing(String place, Controller controller, String why) {
    notes.add(place + ": " + why + ", so " + controller.loss());
  }

  private Detected versionTwo(Mount mount) throws IOException {
    Path home = mount.folder(machine, homes.getOrDefault("", "/"));
    Optional<Path> delegated = delegated(mount.folder(machine), home);
    String place = "cgroup v2 at " + mount.point();
    if (delegated.isEmpty()) {
      return new Detected.Unusable(
          place
              + ": neither it nor our own group "
              + home
              + " may be written, so nothing can be enforced (a unit or scope with Delegate=yes"
              + " may)");
    }
    Path parent = delegated.get();
    List<String> there = words(parent.resolve("cgroup.controllers"));
    Map<Controller, Path> parents = new EnumMap<>(Controller.class);
    String exact = parent.equals(mount.folder(machine)) ? place : "cgroup v2 at " + parent;
    for (Controller controller : Controller.values()) {
      if (there.contains(controller.word())) {
        parents.put(controller, parent);
      } else {
        missing(exact, controller, "no " + controller.word() + " controller");
      }
    }
    if (!parents.containsKey(Controller.CPUSET)) {
      return new Detected.Unusable(notes.getFirst());
    }
    // The root of the whole tree, which alone has no type, may hold processes all the same.
    boolean leafNeeded = parent.equals(home) && Files.exists(parent.resolve("cgroup.type"));
    if (leafNeeded && holdsOthers(parent)) {
      return new Detected.Unusable(
          exact
              + ": other processes are in our own group, which cannot hand controllers down then"
              + " (a unit or scope of its own with Delegate=yes can)");
    }
    return usable(
        new Layout(
            new VersionTwo(pageSize()),
            exact,
            parents,
            name,
            true,
            leafNeeded,
            List.of(home),
            notes));
  }

  /**
   * The group that ours is to be in: a unit that was delegated to us, the whole tree where we may
   * write it, otherwise our own group where we may write that.
   */
  private Optional<Path> delegated(Path mount, Path home) {
    Path above = home.getParent();
    for (Path unit : above == null ? List.of(home) : List.of(home, above)) {
      if (!unit.equals(mount) && unit.startsWith(mount) && isDelegatedUnit(unit)) {
        return Optional.of(unit);
      }
    }
    if (mayWrite(mount)) {
      return Optional.of(mount);
    }
    return mayWrite(home) ? Optional.of(home) : Optional.empty();
  }

  /** With systemd's mark. Its {@code DelegateSubgroup=} starts us one group below. */
  private boolean isDelegatedUnit(Path group) {
    String unit = String.valueOf(group.getFileName());
    try {
      boolean named = unit.endsWith(".service") || unit.endsWith(".scope");
      return named
          && mayWrite(group)
          && Files.getAttribute(group, "user:delegate") instanceof byte[] mark
          && new String(mark, StandardCharsets.US_ASCII).equals("1");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private boolean mayWrite(Path group) {
    return writable.test(group)
        && writable.test(group.resolve("cgroup.procs"))
        && writable.test(group.resolve("cgroup.subtree_control"));
  }

  private static boolean holdsOthers(Path group) throws IOException {
    String own = String.valueOf(ProcessHandle.current().pid());
    return words(group.resolve("cgroup.procs")).stream()
        .anyMatch(process -> !process.isEmpty() && !process.equals(own));
  }

  private static List<String> words(Path file) throws IOException {
    return Files.exists(file)
        ? Arrays.asList(Files.readString(file).strip().split("\\s+", -1))
        : List.of();
  }

  private static Detected usable(Layout layout) {
    return new Detected.Usable(new Cgroups(layout, new KernelFiles()));
  }

  /** The kernel tells each process the size of a page at its start. */
  private long pageSize() {
    final long pageSizeKey = 6;
    try {
      ByteBuffer pairs =
          ByteBuffer.wrap(Files.readAllBytes(machine.resolve("proc/self/auxv")))
              .order(ByteOrder.nativeOrder());
      while (pairs.remaining() >= 2 * Long.BYTES) {
        long key = pairs.getLong();
        long value = pairs.getLong();
        if (key == pageSizeKey && value > 0) {
          return value;
        }
      }
    } catch (IOException e) {
      return 4_096;
    }
    return 4_096;
  }
}
