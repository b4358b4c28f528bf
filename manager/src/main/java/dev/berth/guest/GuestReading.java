package dev.berth.guest;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.CpuWish;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A container that runs already, as far as it can be read. Nobody can refuse it any more, so what
 * cannot be understood of it counts as not said: it must have a place all the same, or it runs on
 * everybody's CPUs.
 *
 * @param container without what cannot be understood
 * @param request what it asks for, with a line for each thing that was left out
 */
public record GuestReading(GuestContainer container, GuestRequest request) {
  /** Makes a container of what may have to be left out of it. */
  @FunctionalInterface
  public interface Maker {
    /**
     * Makes it.
     *
     * @param annotations its pod's
     * @param hugepages the most bytes by size of page
     */
    GuestContainer make(SortedMap<String, String> annotations, SortedMap<String, Long> hugepages);
  }

  /**
   * Reads a container, the second time without what cannot be understood.
   *
   * @throws InvalidInputException where its names do not tell it from another
   */
  public static GuestReading of(
      Maker maker, SortedMap<String, String> annotations, SortedMap<String, Long> hugepages) {
    List<String> faults = new ArrayList<>();
    SortedMap<String, Long> pages = hugepages;
    try {
      var _ = new Allowance(0, 0, 0, 0, hugepages);
    } catch (InvalidInputException e) {
      faults.add(e.line() + "; it counts as one without huge pages");
      pages = Collections.emptySortedMap();
    }
    SortedMap<String, String> asked = withoutGarbledWishes(annotations, faults);
    try {
      return read(maker.make(asked, pages), faults);
    } catch (InvalidInputException e) {
      GuestContainer rest = maker.make(Collections.emptySortedMap(), pages);
      faults.add(e.line() + "; it counts as one without annotation");
      return read(rest, faults);
    }
  }

  /** What is wrong with one annotation takes nothing of the other. */
  private static SortedMap<String, String> withoutGarbledWishes(
      SortedMap<String, String> annotations, List<String> faults) {
    SortedMap<String, String> rest = new TreeMap<>(annotations);
    for (CpuWish wish : CpuWish.values()) {
      String said = annotations.getOrDefault(wish.annotation(), "");
      try {
        if (!said.isEmpty()) {
          CpuWish.parse(said);
        }
      } catch (InvalidInputException e) {
        faults.add("annotation " + wish.annotation() + ": " + e.line() + "; it counts as false");
        rest.remove(wish.annotation());
      }
    }
    return rest;
  }

  private static GuestReading read(GuestContainer container, List<String> faults) {
    GuestRequest request = GuestRequest.of(container);
    List<String> unknown = new ArrayList<>(faults);
    unknown.addAll(request.unknown());
    return new GuestReading(container, new GuestRequest(request.pod(), unknown));
  }
}
