package dev.berth.cgroup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of one group, pass after pass, and knows what they said in the last: where all
 * say the same again, what they mean need not be found out again.
 */
final class GroupReader implements Dialect.Files {
  /** A file, and what it said when it was last read. */
  private static final class Known {
    private final GroupFiles.Kept file;
    private @Nullable String text;

    Known(GroupFiles.Kept file) {
      this.file = file;
    }
  }

  private final Layout layout;
  private final GroupFiles files;
  private final GroupPath group;

  /** By name alone: the kernel names files by their controllers. */
  private final Map<String, Known> known = new LinkedHashMap<>();

  private List<Setting> kinds = List.of();
  private @Nullable Present meaning;

  GroupReader(Layout layout, GroupFiles files, GroupPath group) {
    this.layout = layout;
    this.files = files;
    this.group = group;
  }

  @Override
  public @Nullable String read(Controller controller, String file) throws IOException {
    Known one = known.get(file);
    if (one == null) {
      one = new Known(files.keep(layout.folder(controller, group).resolve(file)));
      known.put(file, one);
    }
    one.text = one.file.read();
    return one.text;
  }

  /** From what was read last, this was found for settings of these kinds, and nothing else read. */
  void means(List<Setting> asked, Present found) {
    kinds = new ArrayList<>(asked);
    meaning = found;
  }

  /** What was found the last time, if the same was asked and all files say the same now. */
  @Nullable Present again(List<Setting> asked) throws IOException {
    Present last = meaning;
    meaning = null;
    if (last == null || !kinds.equals(asked)) {
      return null;
    }
    for (Known one : known.values()) {
      if (!Objects.equals(one.text, one.file.read())) {
        return null;
      }
    }
    meaning = last;
    return last;
  }

  void close() {
    known.values().forEach(one -> one.file.close());
    known.clear();
    meaning = null;
  }
}
