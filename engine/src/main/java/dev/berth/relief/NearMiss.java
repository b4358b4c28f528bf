package dev.berth.relief;

import dev.berth.hints.Reason;
import dev.berth.ledger.Node;
import dev.berth.topology.Level;
import dev.berth.workload.Pod;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How much was missing for a pod that was refused, counted as things are. */
public sealed interface NearMiss {
  /** The container that asks, or the pod where several do so together. */
  String part();

  /** How much it asks for. */
  long asked();

  /** How much of that there is, less than what is asked for. */
  long free();

  /** One line for a person; pods by uid. */
  String text();

  /**
   * What was missing, the places that lack least first: what each L3 cache lacks or how many whole
   * cores there are, where that is why it was refused; then what each NUMA node lacks, where the
   * policy wants something on one.
   */
  static List<NearMiss> of(Node node, Pod pod, Reason reason) {
    return new Misses(node, pod).of(reason);
  }

  /**
   * A place that lacks something for a request that has to be in one such place: what, how much,
   * and who has it.
   *
   * @param part the container that asks, or the pod where it is placed as a whole
   * @param level a NUMA node or an L3 cache
   * @param place which of them
   * @param resource {@code cpu}, a kind of memory, or a device's resource
   * @param asked what the part asks for; memory in bytes
   * @param free what the place has free
   * @param reserved what the place keeps back for the system
   * @param holders by uid, what others have of it there; memory that several nodes give together
   *     counts on each
   */
  record InPlace(
      String part,
      Level level,
      int place,
      String resource,
      long asked,
      long free,
      long reserved,
      SortedMap<String, Long> holders)
      implements NearMiss {
    private static final String CPU = "cpu";
    private static final int LISTED = 4;

    /** Takes an unmodifiable copy. */
    public InPlace {
      holders = Collections.unmodifiableSortedMap(new TreeMap<>(holders));
    }

    /** The part that is missing, from 0 to 1. */
    double share() {
      return (double) (asked - free) / asked;
    }

    @Override
    public String text() {
      String have =
          level.noun()
              + " "
              + place
              + (free == 0 ? " has none of the " : " has " + amount(free) + " of the ")
              + Amounts.of(resource, asked)
              + " free that "
              + part
              + " asks for";
      String kept = reserved == 0 ? "" : "reserved " + amount(reserved);
      if (holders.isEmpty()) {
        return have + ", and no more to give" + (kept.isEmpty() ? "" : " (" + kept + ")");
      }
      return have + "; held there: " + held() + (kept.isEmpty() ? "" : "; " + kept);
    }

    private String amount(long some) {
      return resource.equals(CPU) ? String.valueOf(some) : Amounts.of(resource, some);
    }

    private String held() {
      String listed =
          holders.entrySet().stream()
              .sorted(
                  Map.Entry.<String, Long>comparingByValue()
                      .reversed()
                      .thenComparing(Map.Entry.comparingByKey()))
              .limit(LISTED)
              .map(entry -> entry.getKey() + " " + amount(entry.getValue()))
              .collect(Collectors.joining(", "));
      int more = holders.size() - LISTED;
      return listed + (more > 0 ? " and " + more + " more" : "");
    }
  }

  /**
   * Too few cores of which nobody has any CPU, where only whole ones are given away.
   *
   * @param part the container that asks, or the pod where it has several
   * @param asked how many CPUs it asks for
   * @param free how many CPUs the whole cores have
   * @param whole how many cores are free
   * @param split how many others have some CPUs free and not all
   */
  record WholeCores(String part, long asked, long free, int whole, int split) implements NearMiss {
    @Override
    public String text() {
      String have =
          whole == 0
              ? "no whole core is free"
              : whole
                  + (whole == 1 ? " whole core" : " whole cores")
                  + " with "
                  + Amounts.of("cpu", free)
                  + (whole == 1 ? " is free" : " are free");
      String lacking =
          have + " for the " + Amounts.of("cpu", asked) + " that " + part + " asks for";
      return split == 0
          ? lacking
          : lacking
              + "; "
              + split
              + (split == 1
                  ? " core has only a part of its CPUs free"
                  : " cores have only a part of their CPUs free");
    }
  }
}
