package dev.berth.topology;

import dev.berth.cpu.InvalidInputException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Machines from short descriptions in hwloc's synthetic syntax, such as {@code pack:2 node:2 l3:2
 * core:8 pu:2}.
 *
 * <p>Each part names a level and how many of them stand in each place of the level before it.
 * Levels may stand in any order, so {@code node:1 pack:2} is a NUMA node of two sockets and {@code
 * l3:1 node:4} a cache of four nodes. {@code [numa]} after a level attaches memory to each of its
 * places. CPUs are numbered along the spec unless {@code indexes=} says otherwise: {@code
 * pu:2(indexes=core)} numbers the first threads of all cores and then the second ones, as most
 * servers do.
 *
 * <p>Without a package there is one socket, without a node one NUMA node, without an L3 the socket
 * is the cache, and without cores every CPU is one.
 */
public final class Synthetic {
  /** What bare numbers mean, by how many there are; groups stand above for more. */
  private static final List<List<SpecType>> GUESSES =
      List.of(
          List.of(SpecType.PU),
          List.of(SpecType.NODE, SpecType.PU),
          List.of(SpecType.PACKAGE, SpecType.NODE, SpecType.PU),
          List.of(SpecType.PACKAGE, SpecType.NODE, SpecType.CORE, SpecType.PU),
          List.of(SpecType.PACKAGE, SpecType.NODE, SpecType.L2, SpecType.CORE, SpecType.PU),
          List.of(
              SpecType.PACKAGE,
              SpecType.NODE,
              SpecType.L2,
              SpecType.L1,
              SpecType.CORE,
              SpecType.PU),
          List.of(
              SpecType.PACKAGE,
              SpecType.NODE,
              SpecType.L3,
              SpecType.L2,
              SpecType.L1,
              SpecType.CORE,
              SpecType.PU),
          List.of(
              SpecType.PACKAGE,
              SpecType.NODE,
              SpecType.L3,
              SpecType.L2,
              SpecType.L1,
              SpecType.L1_INSTRUCTION,
              SpecType.CORE,
              SpecType.PU));

  private Synthetic() {}

  /**
   * The machine that {@code spec} describes, named by the spec itself.
   *
   * @throws InvalidInputException naming the column where something else was expected
   */
  public static Machine parse(String spec) {
    return describe(spec.strip(), spec).build();
  }

  /** The machine that {@code spec} describes, open for more to be said about it. */
  static MachineBuilder describe(String name, String spec) {
    List<SpecLevel> levels = guess(spec, new SpecReader(spec).read());
    check(spec, levels);
    return new SyntheticMachine(spec, levels).describe(name);
  }

  private static List<SpecLevel> guess(String spec, List<SpecLevel> levels) {
    List<SpecLevel> result = new ArrayList<>(levels);
    int last = levels.size() - 1;
    if (levels.stream().allMatch(level -> level.type() == null || level.attached())) {
      List<SpecLevel> bare = levels.stream().filter(level -> !level.attached()).toList();
      List<SpecType> types = typesFor(bare.size());
      int next = 0;
      for (int i = 0; i <= last; i++) {
        if (!levels.get(i).attached()) {
          result.set(i, levels.get(i).as(types.get(next++)));
        }
      }
      return result;
    }
    for (int i = 0; i <= last; i++) {
      if (levels.get(i).type() == null) {
        if (i < last) {
          throw SpecReader.error(
              spec,
              levels.get(i).column(),
              "a level's name, for only a last number may stand alone",
              '"' + String.valueOf(levels.get(i).width()) + '"');
        }
        result.set(i, levels.get(i).as(SpecType.PU));
      }
    }
    return result;
  }

  private static List<SpecType> typesFor(int count) {
    List<SpecType> types = new ArrayList<>();
    for (int i = GUESSES.size(); i < count; i++) {
      types.add(SpecType.GROUP);
    }
    if (count > 0) {
      types.addAll(GUESSES.get(Math.min(count, GUESSES.size()) - 1));
    }
    return types;
  }

  private static void check(String spec, List<SpecLevel> levels) {
    Set<SpecType> seen = EnumSet.noneOf(SpecType.class);
    boolean attached = levels.stream().anyMatch(SpecLevel::attached);
    for (SpecLevel level : levels) {
      SpecType type = level.type();
      if (type == null || level.attached()) {
        continue;
      }
      if (seen.contains(SpecType.PU)) {
        throw SpecReader.error(spec, level.column(), "the end after pu", type.noun());
      }
      if (!seen.add(type) && type != SpecType.GROUP) {
        throw SpecReader.error(spec, level.column(), "every level once", "a second " + type.noun());
      }
      if (type == SpecType.NODE && attached) {
        throw SpecReader.error(
            spec, level.column(), "NUMA nodes as a level or in brackets", "both");
      }
    }
    SpecLevel last = levels.getLast();
    if (!last.is(SpecType.PU)) {
      throw SpecReader.error(
          spec, spec.stripTrailing().length(), "pu as the last level", "the end");
    }
  }
}
