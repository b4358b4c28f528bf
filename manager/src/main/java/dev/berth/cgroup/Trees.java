package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Our groups in all trees: finds, reads and makes them. */
final class Trees {
  /** What every group of version 1 must have before a process can be in it; the values are any. */
  static final List<Setting> SETS =
      List.of(new Setting.Cpus(CpuSet.of(0)), new Setting.Mems(NodeSet.of(0)));

  private static final String HANDED_DOWN = "cgroup.subtree_control";
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private final Layout layout;
  private final GroupFiles files;

  /** Of the groups that were read and may be read again. */
  private final TreeMap<GroupPath, GroupReader> readers = new TreeMap<>();

  Trees(Layout layout, GroupFiles files) {
    this.layout = layout;
    this.files = files;
  }

  Layout layout() {
    return layout;
  }

  GroupFiles files() {
    return files;
  }

  /** The folders of a group, one for each tree that it is in. */
  List<Path> folders(GroupPath group) {
    return layout.trees().stream()
        .map(tree -> layout.folder(tree, group))
        .filter(files::isFolder)
        .toList();
  }

  /** The groups right below, in any tree. */
  private SortedSet<GroupPath> children(GroupPath group) throws IOException {
    SortedSet<GroupPath> children = new TreeSet<>();
    for (Path folder : folders(group)) {
      children.addAll(children(group, folder));
    }
    return children;
  }

  /** The groups right below that have cpusets. */
  List<GroupPath> cpusetChildren(GroupPath group) throws IOException {
    return children(group, layout.folder(Controller.CPUSET, group));
  }

  private List<GroupPath> children(GroupPath group, Path folder) throws IOException {
    return files.folders(folder).stream().filter(GroupPath::isSafe).map(group::child).toList();
  }

  /** A group and all below it that there are, from the top down. */
  SortedSet<GroupPath> subtree(GroupPath top) throws IOException {
    SortedSet<GroupPath> found = new TreeSet<>();
    List<GroupPath> open = new ArrayList<>(folders(top).isEmpty() ? List.of() : List.of(top));
    while (!open.isEmpty()) {
      GroupPath group = open.removeLast();
      found.add(group);
      open.addAll(children(group));
    }
    return found;
  }

  /**
   * What a group has, or null where it is in no tree.
   *
   * @param kinds settings of the kinds to read
   * @param used the controllers it is asked about
   */
  @Nullable Present read(GroupPath group, List<Setting> kinds, Set<Controller> used)
      throws IOException {
    GroupReader reader = readers.computeIfAbsent(group, of -> new GroupReader(layout, files, of));
    Present same = reader.again(kinds);
    if (same != null && same.in().containsAll(used)) {
      return same;
    }
    Set<Controller> in = EnumSet.noneOf(Controller.class);
    Set<Controller> asked = EnumSet.noneOf(Controller.class);
    Settings settings = Settings.NONE;
    for (Setting kind : kinds) {
      Dialect.Reading reading = layout.version().read(reader, kind);
      asked.add(kind.controller());
      if (reading.there()) {
        in.add(kind.controller());
      }
      if (reading.value().isPresent()) {
        settings = settings.with(reading.value().get());
      }
    }
    for (Controller controller : used) {
      if (!asked.contains(controller) && has(group, controller)) {
        in.add(controller);
      }
    }
    if (in.isEmpty()) {
      return null;
    }
    Present present = new Present(in, settings);
    if (asked.containsAll(used)) {
      reader.means(kinds, present);
    }
    return present;
  }

  /** A group and all below it are not read any more, or not as they are now. */
  void forget(GroupPath group) {
    Iterator<Map.Entry<GroupPath, GroupReader>> from =
        readers.tailMap(group, true).entrySet().iterator();
    while (from.hasNext()) {
      Map.Entry<GroupPath, GroupReader> next = from.next();
      if (!next.getKey().equals(group) && !next.getKey().isBelow(group)) {
        return;
      }
      next.getValue().close();
      from.remove();
    }
  }

  /** Only these groups are read again soon. */
  void retain(Set<GroupPath> groups) {
    readers
        .entrySet()
        .removeIf(entry -> {
          boolean other = !groups.contains(entry.getKey());
          if (other) {
            entry.getValue().close();
          }
          return other;
        });
  }

  private boolean has(GroupPath group, Controller controller) throws IOException {
    Path folder = layout.folder(controller, group);
    return layout.unified()
        ? words(folder.resolve("cgroup.controllers")).contains(controller.word())
        : files.isFolder(folder);
  }

  private List<String> words(Path file) throws IOException {
    String text = files.read(file);
    return text == null ? List.of() : List.of(BLANKS.split(text, -1));
  }

  /** The CPUs and nodes of the group around ours, where a new group does not inherit them. */
  Settings outside() throws IOException {
    Settings settings = Settings.NONE;
    Path parent = layout.parents().get(Controller.CPUSET);
    if (layout.unified() || parent == null) {
      return settings;
    }
    Dialect.Files reader = (controller, file) -> files.read(parent.resolve(file));
    for (Setting kind : SETS) {
      settings = layout.version().read(reader, kind).value().map(settings::with).orElse(settings);
    }
    return settings;
  }

  /**
   * Makes a group with a controller, where its parent is there.
   *
   * @return how many files were written for it
   */
  int make(GroupPath group, Controller controller) throws IOException {
    files.make(layout.folder(controller, group));
    return layout.unified() ? handDown(group, controller) : 0;
  }

  /** Makes a group and those above it, without any controller. */
  void makeBare(GroupPath group) throws IOException {
    for (Path tree : layout.trees()) {
      GroupPath at = GroupPath.OWN;
      files.make(layout.folder(tree, at));
      for (String segment : group.segments()) {
        at = at.child(segment);
        files.make(layout.folder(tree, at));
      }
    }
  }

  /** On version 2 a group has the controllers that every group above it hands down. */
  private int handDown(GroupPath group, Controller controller) throws IOException {
    int writes = 0;
    List<Path> above = new ArrayList<>(layout.trees());
    for (GroupPath at = group; !at.isOwn(); at = at.parent()) {
      above.add(1, layout.folder(controller, at.parent()));
    }
    for (Path folder : above) {
      if (!words(folder.resolve(HANDED_DOWN)).contains(controller.word())) {
        files.write(folder.resolve(HANDED_DOWN), "+" + controller.word());
        writes++;
      }
    }
    return writes;
  }
}
