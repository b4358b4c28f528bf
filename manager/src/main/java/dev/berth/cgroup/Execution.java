package dev.berth.cgroup;

import dev.berth.cgroup.Dialect.FileWrite;
import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiPredicate;

/**
 * Does the steps of a plan, one after the other. What fails is noted and what depends on it is left
 * undone: nothing in a group that could not be made, and no CPU for a new owner that could not be
 * taken from the old one.
 */
final class Execution {
  private record Missing(GroupPath group, Controller controller) {}

  private final Trees trees;
  private final SortedMap<GroupPath, Present> known;
  private final BiPredicate<GroupPath, Setting> changedByOthers;
  private final List<Failure> failures = new ArrayList<>();
  private final Set<Missing> missing = new HashSet<>();

  /** CPUs that owners were to give up and still have. */
  private CpuSet kept = CpuSet.EMPTY;

  private int made;
  private int writes;
  private int repaired;

  /**
   * An execution.
   *
   * @param known what groups are known to have; kept up to date
   * @param changedByOthers whether a group's setting of a kind is not what we left there
   */
  Execution(
      Trees trees,
      SortedMap<GroupPath, Present> known,
      BiPredicate<GroupPath, Setting> changedByOthers) {
    this.trees = trees;
    this.known = known;
    this.changedByOthers = changedByOthers;
  }

  Changes run(List<Step> steps) {
    for (Step step : steps) {
      switch (step) {
        case Step.Make make -> make(make);
        case Step.Write write -> write(write);
        case Step.Refuse refuse -> refuse(refuse);
      }
    }
    return new Changes(made, writes, repaired, failures);
  }

  private void make(Step.Make make) {
    GroupPath group = make.group();
    if (isMissing(group, make.controller())) {
      missing.add(new Missing(group, make.controller()));
      return;
    }
    try {
      writes += trees.make(group, make.controller());
      made++;
      Present before = known.get(group);
      known.put(
          group,
          before == null
              ? new Present(EnumSet.of(make.controller()), Settings.NONE)
              : before.madeIn(make.controller()));
    } catch (IOException e) {
      missing.add(new Missing(group, make.controller()));
      Path folder = trees.layout().folder(make.controller(), group);
      failures.add(new Failure(group, folder.toString(), "", Reasons.of(e)));
    }
  }

  /** Whether the group or one above it could not be made. */
  private boolean isMissing(GroupPath group, Controller controller) {
    GroupPath at = group;
    while (!missing.contains(new Missing(at, controller))) {
      if (at.isOwn()) {
        return false;
      }
      at = at.parent();
    }
    return true;
  }

  private void refuse(Step.Refuse refuse) {
    String why = "groups wait for one another's CPUs in a ring, and every CPU is exclusive";
    failures.add(failure(refuse.group(), refuse.wanted(), why));
  }

  private Failure failure(GroupPath group, Setting setting, String why) {
    Dialect dialect = trees.layout().version();
    List<FileWrite> meant = dialect.writes(Optional.empty(), setting);
    String value = meant.isEmpty() ? "" : meant.getLast().value();
    return new Failure(group, dialect.file(setting), value, why);
  }

  private void write(Step.Write write) {
    GroupPath group = write.group();
    if (isMissing(group, write.value().controller())) {
      if (write.owner()) {
        failures.add(failure(group, write.value(), "the group could not be made"));
      }
      return;
    }
    CpuSet given = cpus(write.value()).difference(cpus(write.before()));
    if (write.owner() && given.intersects(kept)) {
      keep(write);
      String taken = given.intersection(kept).toString();
      failures.add(
          failure(group, write.value(), "CPUs " + taken + " could not be taken from others first"));
      return;
    }
    try {
      writeFiles(write);
    } catch (NoSuchFileException e) {
      known.remove(group);
      failures.add(failure(group, write.value(), Reasons.of(e)));
    } catch (IOException e) {
      keep(write);
      known.computeIfPresent(group, (g, present) -> present.without(write.value()));
      failures.add(failure(group, write.value(), Reasons.of(e)));
    }
  }

  private void writeFiles(Step.Write write) throws IOException {
    Layout layout = trees.layout();
    Path folder = layout.folder(write.value().controller(), write.group());
    for (FileWrite file : layout.version().writes(write.before(), write.value())) {
      trees.files().write(folder.resolve(file.file()), file.value());
      writes++;
    }
    if (changedByOthers.test(write.group(), write.value())) {
      repaired++;
    }
    known.computeIfPresent(write.group(), (group, present) -> present.with(write.value()));
    if (write.value() instanceof Setting.Parted(Partition wanted)) {
      checkPartition(folder.resolve(layout.version().file(write.value())), wanted);
    }
  }

  /** The kernel takes the word at any rate, and says in the same file whether it can be so. */
  private void checkPartition(Path file, Partition wanted) throws IOException {
    String found = trees.files().read(file);
    if (found == null || !found.equals(wanted.word())) {
      throw new IOException("the kernel says \"" + found + '"');
    }
  }

  /** An owner has what it was to give up. */
  private void keep(Step.Write write) {
    if (write.owner()) {
      kept = kept.union(cpus(write.before()).difference(cpus(write.value())));
    }
  }

  private static CpuSet cpus(Optional<Setting> setting) {
    return setting.map(Execution::cpus).orElse(CpuSet.EMPTY);
  }

  private static CpuSet cpus(Setting setting) {
    return setting instanceof Setting.Cpus(CpuSet cpus) ? cpus : CpuSet.EMPTY;
  }
}
