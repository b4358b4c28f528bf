package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Those who are in no group: the machine's own programs and the kernel's threads. On version 1 they
 * are in the topmost cpuset, and may run anywhere; here they are put into a cpuset beside our own
 * group, which has all CPUs but some. What they start is in it too. The machine's very first thread
 * stays: runtimes make their groups below the one that it is in.
 *
 * <p>Who is in that group is all there is to remember: whoever is moved back may run anywhere
 * again, also after one who moved them was killed. So only those are moved who may run anywhere. A
 * thread that somebody has bound to CPUs stays bound to them, and one that the kernel binds or
 * keeps there is not moved.
 */
public final class Bystanders {
  /** What the group beside our own is called, behind the name of that one. */
  static final String SUFFIX = "-others";

  private static final String CPUS = "cpuset.cpus";
  private static final String MEMS = "cpuset.mems";
  private static final String TASKS = "tasks";

  /** The first thread of the first process. */
  private static final String INIT = "1";

  private static final String ALLOWED = "Cpus_allowed_list:";

  /** Who starts others without end must not keep us for ever. */
  private static final int MOST_PASSES = 20;

  /** As many as fit into a line. */
  private static final int MOST_NAMED = 3;

  private final Path proc;
  private final Path top;
  private final Path own;
  private final Path others;
  private final LongPredicate fixed;

  /** With the folder of the topmost cpuset. */
  Bystanders(Path proc, Path top, String name, LongPredicate fixed) {
    this.proc = proc;
    this.top = top;
    this.fixed = fixed;
    own = top.resolve(name);
    others = top.resolve(name + SUFFIX);
  }

  /**
   * Of this machine.
   *
   * @param name the name of our own group
   * @param fixed whether a thread of this number is one that nobody can move, or has ended
   * @throws IOException in one line where they cannot be moved
   */
  public static Bystanders find(String name, LongPredicate fixed) throws IOException {
    return find(Path.of("/"), name, fixed);
  }

  /** The same for a machine whose {@code /proc} and {@code /sys} are below a folder. */
  static Bystanders find(Path machine, String name, LongPredicate fixed) throws IOException {
    GroupPath.checkName(name);
    Path proc = machine.resolve("proc");
    for (Mount mount : Mount.of(Files.readString(proc.resolve("self/mountinfo")))) {
      if (!mount.isUnified() && mount.options().contains(Controller.CPUSET.word())) {
        Path top = mount.folder(machine);
        if (!Files.isWritable(top)) {
          throw new IOException(
              "expected to be allowed to write " + top + ", found that it is not");
        }
        return new Bystanders(proc, top, name, fixed);
      }
    }
    throw new IOException(
        "expected cpusets of cgroup v1, or berth.partition: isolated, found none");
  }

  /** What they are kept off now, by us or one before us. */
  public CpuSet keptOff() {
    try {
      return Files.isDirectory(others) ? set(top).difference(set(others)) : CpuSet.EMPTY;
    } catch (IOException | InvalidInputException e) {
      // It has just been removed.
      return CpuSet.EMPTY;
    }
  }

  /**
   * From now on they run on other CPUs than these; where these are none, anywhere.
   *
   * @return whether the group had other CPUs until now
   * @throws IOException in one line where that cannot be
   */
  public boolean keepOff(CpuSet cpus) throws IOException {
    try {
      if (cpus.isEmpty()) {
        return release();
      }
      CpuSet all = set(top);
      CpuSet rest = all.difference(cpus);
      if (rest.isEmpty()) {
        throw new IOException("expected a CPU for everybody else, found that none is left");
      }
      boolean changed = narrow(rest);
      moveAll(top, others, thread -> isFree(thread, all));
      return changed;
    } catch (InvalidInputException e) {
      throw new IOException(e.line(), e);
    } catch (IOException e) {
      throw new IOException(others + ": " + Reasons.of(e), e);
    }
  }

  private boolean narrow(CpuSet rest) throws IOException {
    if (!Files.isDirectory(others)) {
      Files.createDirectory(others);
    }
    String mems = read(top.resolve(MEMS));
    if (!read(others.resolve(MEMS)).equals(mems)) {
      write(others.resolve(MEMS), mems);
    }
    boolean differs = !set(others).equals(rest);
    if (differs) {
      write(others.resolve(CPUS), rest.toString());
    }
    return differs;
  }

  private boolean release() throws IOException {
    if (!Files.isDirectory(others)) {
      return false;
    }
    // Also those of groups that others have made below it, which stay.
    boolean changed = narrow(set(top));
    boolean gone = false;
    for (int attempt = 0; attempt < MOST_PASSES && !gone; attempt++) {
      moveAll(others, top, thread -> true);
      gone = removed(others);
    }
    return changed;
  }

  /** Not where somebody was started there since the last look, or has a group there. */
  private static boolean removed(Path group) {
    try {
      Files.delete(group);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @FunctionalInterface
  private interface Choice {
    boolean test(String thread) throws IOException;
  }

  /** Goes over them until a pass finds nobody, because some start others meanwhile. */
  private static void moveAll(Path from, Path to, Choice choice) throws IOException {
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      boolean moved = false;
      for (String thread : threads(from)) {
        if (choice.test(thread)) {
          moved |= move(thread, to);
        }
      }
      if (!moved) {
        return;
      }
    }
  }

  /** Whether it was; one that has ended meanwhile need not be, and some the kernel keeps. */
  private static boolean move(String thread, Path to) {
    try {
      write(to.resolve(TASKS), thread);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether a thread may run anywhere, and nobody minds if it may no more. The kernel also names
   * CPUs that could come some day.
   */
  private boolean isFree(String thread, CpuSet all) {
    return !stays(thread)
        && allowed(thread).filter(cpus -> all.difference(cpus).isEmpty()).isPresent();
  }

  /** Whether a thread is where it is for good. */
  private boolean stays(String thread) {
    return thread.equals(INIT) || fixed.test(Long.parseLong(thread));
  }

  private Optional<CpuSet> allowed(String thread) {
    try (Stream<String> lines = Files.lines(proc.resolve(thread).resolve("status"))) {
      return lines
          .filter(line -> line.startsWith(ALLOWED))
          .map(line -> CpuSet.parse(line.substring(ALLOWED.length()).strip()))
          .findFirst();
    } catch (IOException | RuntimeException e) {
      // It has ended.
      return Optional.empty();
    }
  }

  /**
   * Who may run on some CPUs all the same, as a person would name them: threads that somebody has
   * bound there, and groups that are not ours. One that goes while it is looked at disturbs nobody
   * any more, and keeps nobody else from being named.
   *
   * @param groups whether to look at these; where they are those of a runtime whose containers we
   *     place, each has what it is to have
   * @throws IOException where it cannot be told
   */
  public List<String> intruders(CpuSet cpus, boolean groups) throws IOException {
    List<String> names = new ArrayList<>();
    for (String thread : threads(top)) {
      if (names.size() < MOST_NAMED
          && !stays(thread)
          && allowed(thread).filter(cpus::intersects).isPresent()) {
        called(thread).ifPresent(names::add);
      }
    }
    if (groups) {
      names.addAll(groupsOn(cpus));
    }
    return names;
  }

  private Optional<String> called(String thread) {
    try {
      String name = read(proc.resolve(thread).resolve("comm"));
      return Optional.of("thread " + thread + " (" + name + ")");
    } catch (IOException e) {
      // It has ended.
      return Optional.empty();
    }
  }

  private List<String> groupsOn(CpuSet cpus) throws IOException {
    List<String> names = new ArrayList<>();
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path group, BasicFileAttributes attributes) {
            if (group.equals(own)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            if (!group.equals(top) && mayRun(group, cpus)) {
              names.add("group " + top.relativize(group));
            }
            return names.size() < MOST_NAMED ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path gone, IOException reason) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path group, @Nullable IOException reason) {
            return FileVisitResult.CONTINUE;
          }
        });
    return names;
  }

  private static boolean mayRun(Path group, CpuSet cpus) {
    try {
      return set(group).intersects(cpus) && !threads(group).isEmpty();
    } catch (IOException | InvalidInputException e) {
      return false;
    }
  }

  private static List<String> threads(Path group) throws IOException {
    return read(group.resolve(TASKS)).lines().toList();
  }

  private static CpuSet set(Path group) throws IOException {
    return CpuSet.parse(read(group.resolve(CPUS)));
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).strip();
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
  }
}
