package dev.berth.ledger;

import java.util.Map;
import java.util.Set;

/**
 * Devices at one moment: what there is and what is in use. Never changed once made, so a draft and
 * the explanation of it may go on looking at one while the ledger moves on to the next.
 *
 * @param stocks the devices, by resource
 * @param inUse the ids of those that some pod has, by resource; some may be gone from the stock
 */
record DeviceBooks(Map<String, DeviceStock> stocks, Map<String, Set<String>> inUse) {
  /** Whether this is a resource of devices, there now or given out before they went away. */
  boolean knows(String resource) {
    return stocks.containsKey(resource) || inUse.containsKey(resource);
  }

  Set<String> inUse(String resource) {
    return inUse.getOrDefault(resource, Set.of());
  }
}
