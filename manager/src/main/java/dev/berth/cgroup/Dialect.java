package dev.berth.cgroup;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How settings stand in a group's files. */
interface Dialect {
  /** A file of a group and what to write to it. */
  record FileWrite(String file, String value) {}

  /** The files of one group. */
  @FunctionalInterface
  interface Files {
    /** The text without white space around it, or null where there is no such file. */
    @Nullable String read(Controller controller, String file) throws IOException;
  }

  /**
   * What a group was found to have.
   *
   * @param there whether the group has the controller at all
   * @param value what it has; empty where that is nothing, or nothing that we would write
   */
  record Reading(boolean there, Optional<Setting> value) {
    static final Reading ABSENT = new Reading(false, Optional.empty());
    static final Reading OTHER = new Reading(true, Optional.empty());

    static Reading of(Setting setting) {
      return new Reading(true, Optional.of(setting));
    }

    static Reading of(Optional<? extends Setting> setting) {
      return setting.isPresent() ? of(setting.get()) : OTHER;
    }
  }

  /** What a new group has. */
  Settings fresh();

  /** A setting as it reads once it was written; empty where this version has no such thing. */
  Optional<Setting> normal(Setting wanted);

  /** The file that a person would look into for a setting. */
  String file(Setting setting);

  /** What a group has of the kind of {@code like}. */
  default Reading read(Files files, Setting like) throws IOException {
    String text = files.read(like.controller(), file(like));
    if (text == null) {
      return Reading.ABSENT;
    }
    return switch (like) {
      case Setting.Cpus ignored -> Texts.cpus(text);
      case Setting.Mems ignored -> Texts.mems(text);
      case Setting.Weight ignored -> Reading.of(shares(text).map(Setting.Weight::new));
      case Setting.Time ignored -> Reading.of(quota(text, files).map(Setting.Time::new));
      case Setting.Memory ignored -> Reading.of(limit(text).map(Setting.Memory::new));
      case Setting.Hugepages(long size, Limit ignored) ->
          Reading.of(limit(text).map(limit -> new Setting.Hugepages(size, limit)));
      case Setting.Parted ignored -> Reading.of(partition(text).map(Setting.Parted::new));
    };
  }

  /** The cpu shares that a file tells; empty where we would not write such. */
  Optional<Integer> shares(String text);

  /** The quota that a file tells, with what others add to it; empty where we would not write it. */
  Optional<Quota> quota(String text, Files files) throws IOException;

  /** The limit that a file tells; empty where it is none. */
  Optional<Limit> limit(String text);

  /** The kind of partition that a file tells; empty where there is none such. */
  Optional<Partition> partition(String text);

  /** What to write where a group is to have {@code value}, in this order. */
  List<FileWrite> writes(Optional<Setting> before, Setting value);
}
