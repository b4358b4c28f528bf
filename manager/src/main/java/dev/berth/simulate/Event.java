package dev.berth.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A pod comes or leaves.
 *
 * @param at in milliseconds
 * @param leaves whether it leaves
 * @param visit which visit, by position
 * @param visitor who
 */
record Event(long at, boolean leaves, int visit, int visitor) {
  /** By time; at the same time those leave first who came first, and then others come. */
  private static final Comparator<Event> ORDER =
      Comparator.comparingLong(Event::at)
          .thenComparing(event -> !event.leaves())
          .thenComparingInt(Event::visit);

  static List<Event> of(List<Visit> visits) {
    List<Event> events = new ArrayList<>(2 * visits.size());
    for (int i = 0; i < visits.size(); i++) {
      Visit visit = visits.get(i);
      if (visit.arrives() != Visit.BEFORE) {
        events.add(new Event(visit.arrives(), false, i, visit.visitor()));
      }
      if (visit.leaves() != Visit.NEVER) {
        events.add(new Event(visit.leaves(), true, i, visit.visitor()));
      }
    }
    events.sort(ORDER);
    return events;
  }
}
