package dev.berth.cgroup;

import dev.berth.cpu.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A group of ours, by its names from our own group down. Whatever it is made from, it names nothing
 * outside: a name holds no slash and does not begin with a dot.
 *
 * <p>Sorted so that a group comes right before what is below it.
 */
public final class GroupPath implements Comparable<GroupPath> {
  /** The one group of ours that holds all the others. */
  public static final GroupPath OWN = new GroupPath(List.of());

  /** What a file name may have at most, in bytes. */
  private static final int LONGEST_NAME = 255;

  /** Sorts before everything that a name may hold, so that keys sort as their names one by one. */
  private static final char SEPARATOR = 1;

  private final List<String> segments;

  /** All names in one, since groups are compared thousands of times for one that changes. */
  private final String key;

  private GroupPath(List<String> segments) {
    this.segments = List.copyOf(segments);
    key = String.join(String.valueOf(SEPARATOR), segments);
  }

  /** The group with these names. */
  public static GroupPath of(String... segments) {
    List<String> names = List.of(segments);
    names.forEach(GroupPath::checkName);
    return new GroupPath(names);
  }

  /** Whether this is the name of a group and not of one somewhere else. */
  static boolean isSafe(String name) {
    boolean plain = true;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/' || Character.isISOControl(c)) {
        return false;
      }
      plain &= c < 0x80;
    }
    int bytes = plain ? name.length() : name.getBytes(StandardCharsets.UTF_8).length;
    return bytes > 0 && bytes <= LONGEST_NAME && name.charAt(0) != '.';
  }

  static void checkName(String name) {
    if (!isSafe(name)) {
      String shown = name.length() <= 60 ? name : name.substring(0, 57) + "...";
      throw new InvalidInputException(
          "cgroup name: expected 1 to 255 bytes without / or a dot in front, found \""
              + shown
              + '"');
    }
  }

  /** The group of this name in this one. */
  public GroupPath child(String name) {
    checkName(name);
    List<String> names = new ArrayList<>(segments);
    names.add(name);
    return new GroupPath(names);
  }

  /** The names, outermost first; none for our own group itself. */
  public List<String> segments() {
    return segments;
  }

  /** Whether this is our own group, which has no parent of ours. */
  public boolean isOwn() {
    return segments.isEmpty();
  }

  /** The group that holds this one; our own group holds itself. */
  public GroupPath parent() {
    return isOwn() ? OWN : new GroupPath(segments.subList(0, segments.size() - 1));
  }

  /** Whether this group lies below the other, at any depth. */
  public boolean isBelow(GroupPath other) {
    return segments.size() > other.segments.size()
        && segments.subList(0, other.segments.size()).equals(other.segments);
  }

  /** The folder of this group, where {@code own} is the one of our own group. */
  Path in(Path own) {
    Path folder = own;
    for (String segment : segments) {
      folder = folder.resolve(segment);
    }
    return folder;
  }

  @Override
  public int compareTo(GroupPath other) {
    return key.compareTo(other.key);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupPath path && key.equals(path.key);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  /** The names with slashes between them; a dot for our own group. */
  @Override
  public String toString() {
    return isOwn() ? "." : String.join("/", segments);
  }
}
