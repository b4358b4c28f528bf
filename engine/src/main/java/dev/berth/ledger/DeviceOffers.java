package dev.berth.ledger;

import dev.berth.hints.Cover;
import dev.berth.hints.Demand;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Preference;
import java.util.ArrayList;
import java.util.List;

/**
 * What a resource's devices offer: every set of their NUMA nodes that touches enough free ones.
 *
 * <p>Only nodes that have such devices count, so that a machine of 34 nodes with GPUs on two of
 * them is a question about two. A set has to touch each device that an init container left. It is
 * preferred where it is as narrow as it could be if all devices were free and healthy. Where no
 * device has a place, there is no preference.
 */
final class DeviceOffers {
  private final Nodes nodes;

  DeviceOffers(Nodes nodes) {
    this.nodes = nodes;
  }

  /**
   * The offer for a request.
   *
   * @param free devices that may be taken
   * @param reusable devices that come first, because an earlier container of the pod is done
   */
  Offer offer(DeviceStock stock, List<Device> free, List<Device> reusable, int request) {
    if (!stock.isPlaced()) {
      return Offer.ANYTHING;
    }
    if (free.size() + reusable.size() < request) {
      return Offer.IMPOSSIBLE;
    }
    List<Device> again = reusable.stream().filter(device -> !device.nodes().isEmpty()).toList();
    List<Device> usable = new ArrayList<>(free);
    usable.addAll(again);
    Demand enough = Demand.devices(nodes, request, stock.places(usable));
    Cover cover =
        again.isEmpty()
            ? Cover.of(nodes, stock.nodes(), enough)
            : Cover.of(
                nodes,
                stock.nodes(),
                enough,
                Demand.devices(nodes, again.size(), stock.places(again)));
    return Offer.family(cover, Preference.ofSize(narrowest(stock, request)));
  }

  /** The fewest nodes that have so many devices at all; all of them where there are too few. */
  private int narrowest(DeviceStock stock, int request) {
    Demand enough = Demand.devices(nodes, request, stock.places(stock.all()));
    int width = Cover.of(nodes, stock.nodes(), enough).narrowest().nodes();
    return width == 0 ? stock.nodes().size() : width;
  }
}
