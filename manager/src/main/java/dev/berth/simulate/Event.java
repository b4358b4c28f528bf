package dev.berth.simulate;

import java.util.ArrayList;
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
    events.sort(Event::order);
    return events;
  }

  /**
   * By time; at the same time those leave first who came first, and then others come. By hand: the
   * JVM's cache for starts holds none of the JDK's own comparators.
   */
  private static int order(Event one, Event other) {
    if (one.at != other.at) {
      return Long.compare(one.at, other.at);
    }
    return one.leaves == other.leaves
        ? Integer.compare(one.visit, other.visit)
        : Boolean.compare(other.leaves, one.leaves);
  }
}
