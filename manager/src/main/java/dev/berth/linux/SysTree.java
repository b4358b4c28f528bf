package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of one tree. Errors name the file as the person who gave the folder would. */
final class SysTree {
  private static final String CPUS = "devices/system/cpu";

  private final Path root;
  private final String sys;
  private final String prefix;

  private SysTree(Path root, String sys) {
    this.root = root;
    this.sys = sys;
    String name = root.toString();
    this.prefix = name.isEmpty() || name.endsWith("/") ? name : name + "/";
  }

  /** The tree below {@code root}, which holds {@code sys} or is it. */
  static SysTree of(Path root) {
    for (String sys : List.of("sys/", "")) {
      if (Files.isDirectory(root.resolve(sys + CPUS))) {
        return new SysTree(root, sys);
      }
    }
    throw new InvalidInputException(
        "sysfs "
            + root
            + ": expected a folder with sys/"
            + CPUS
            + " in it, found "
            + (Files.isDirectory(root) ? "none" : "no folder"));
  }

  /** As {@link Path#resolve} would, without a path of its own for each of a thousand files. */
  private String below(String path) {
    return prefix + path;
  }

  /** What people would call the machine whose tree this is. */
  String name() {
    Path absolute = root.toAbsolutePath().normalize();
    Path folder = absolute.endsWith("sys") && sys.isEmpty() ? absolute.getParent() : absolute;
    return folder == null || folder.getFileName() == null
        ? "this machine"
        : folder.getFileName().toString();
  }

  /**
   * The content of a file of {@code /sys} without white space around it, or null where there is
   * none.
   */
  @Nullable String text(String path) {
    return read(below(sys + path));
  }

  /** The content of a file of {@code /proc}, or null where there is none. */
  @Nullable String proc(String path) {
    return sys.isEmpty() ? read(below("../proc/" + path)) : read(below("proc/" + path));
  }

  private static @Nullable String read(String file) {
    String text;
    try {
      text = SmallFile.text(file);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new InvalidInputException(
          "sysfs " + file + ": expected a file that can be read, found " + e.getMessage(), e);
    }
    // Some kernels fill the rest of the page with zeros.
    int end = text.indexOf('\0');
    return (end < 0 ? text : text.substring(0, end)).strip();
  }

  /** The names in a folder of {@code /sys}, sorted; none where there is no such folder. */
  List<String> names(String path) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(sys + path))) {
      entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (IOException e) {
      throw new InvalidInputException(
          "sysfs "
              + root.resolve(sys + path)
              + ": expected a folder that can be read, found "
              + e.getMessage(),
          e);
    }
    names.sort(null);
    return names;
  }

  /** A set of CPUs in Linux list syntax, or null where there is no such file. */
  @Nullable CpuSet list(String path) {
    String text = text(path);
    if (text == null) {
      return null;
    }
    try {
      return CpuSet.parse(text);
    } catch (InvalidInputException e) {
      throw new InvalidInputException("sysfs " + file(path) + ": " + e.getMessage(), e);
    }
  }

  /**
   * A set of CPUs from the first of these files that there is: a list where the name ends in {@code
   * list}, otherwise a mask.
   *
   * @throws InvalidInputException where there is none, or where it does not hold {@code cpu}
   */
  CpuSet setWith(int cpu, String folder, String... files) {
    for (String name : files) {
      String path = folder + name;
      CpuSet set = name.endsWith("list") ? list(path) : mask(path);
      if (set == null) {
        continue;
      }
      if (!set.contains(cpu)) {
        throw wrong(path, "a set with CPU " + cpu, '"' + set.toString() + '"');
      }
      return set;
    }
    throw wrong(folder + files[0], "a list of CPUs", "no such file");
  }

  /** A set of CPUs as a hexadecimal mask, or null where there is no such file. */
  @Nullable CpuSet mask(String path) {
    String text = text(path);
    if (text == null) {
      return null;
    }
    CpuSet set = Masks.parse(text);
    if (set == null) {
      throw wrong(path, "a mask such as 0000,0000000f", '"' + shortened(text) + '"');
    }
    return set;
  }

  /** A number, or {@code otherwise} where there is no such file. */
  long number(String path, long otherwise) {
    String text = text(path);
    if (text == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw wrong(path, "a number", '"' + shortened(text) + '"');
    }
  }

  /** An id that fits Berth's own numbers; any number below 0 is -1, for "unknown". */
  int id(String path, int otherwise) {
    long number = number(path, Long.MIN_VALUE);
    if (number == Long.MIN_VALUE) {
      return otherwise;
    }
    return number > Integer.MAX_VALUE ? -1 : (int) Math.max(number, -1);
  }

  /** An id like {@link #id}, from a file that every kernel has. */
  int requiredId(String path) {
    int id = id(path, Integer.MIN_VALUE);
    if (id == Integer.MIN_VALUE) {
      throw wrong(path, "a number", "no such file");
    }
    return id;
  }

  String file(String path) {
    return root.resolve(sys + path).toString();
  }

  InvalidInputException wrong(String path, String expected, String found) {
    return new InvalidInputException(
        "sysfs " + file(path) + ": expected " + expected + ", found " + found);
  }

  static String shortened(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() <= 60 ? line : line.substring(0, 57) + "...";
  }
}
