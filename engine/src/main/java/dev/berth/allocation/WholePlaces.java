package dev.berth.allocation;

import dev.berth.topology.Level;

/**
 * Takes whole sockets or whole NUMA nodes while at least one's worth of CPUs is needed.
 *
 * <p>Order: fewest free CPUs first, then lowest id, group by group. A socket counts as whole only
 * where its size is also the machine's rounded-down average, as upstream has it; a node by its own
 * size.
 */
final class WholePlaces implements Rule {
  private final boolean outer;
  private final Places places;
  private final String name;

  private WholePlaces(Layout layout, boolean outer) {
    this.outer = outer;
    places = outer ? layout.outer : layout.inner;
    name = "whole " + places.level.noun() + "s";
  }

  static WholePlaces outer(Layout layout) {
    return new WholePlaces(layout, true);
  }

  static WholePlaces inner(Layout layout) {
    return new WholePlaces(layout, false);
  }

  @Override
  public void take(Workspace work) {
    if (work.needed() < places.smallest && !work.trace().on()) {
      return;
    }
    Order order = outer ? work.orderOuter() : work.orderInner();
    work.tellBegan(name, order);
    for (int i = 0; i < order.count() && !work.isSatisfied(); i++) {
      int place = order.at(i);
      if (work.needed() < places.sizes[place]) {
        work.tellPassedOver(places, place, "larger than what is needed");
      } else if (!work.isFree(places, place)) {
        work.tellPassedOver(places, place, "not all of it is free");
      } else if (places.level == Level.SOCKET && places.sizes[place] != places.average) {
        work.tellPassedOver(
            places, place, "not of the average size of " + places.average + " CPUs");
      } else {
        work.takeWhole(places, place);
      }
    }
  }
}
