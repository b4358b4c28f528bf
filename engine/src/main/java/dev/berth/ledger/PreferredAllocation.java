package dev.berth.ledger;

import java.util.Collection;
import java.util.List;

/**
 * What only the maker of a device knows: which of several devices belong together, for example GPUs
 * with a link between them.
 *
 * <p>It is asked once an allocation, and only where there is a choice left after the NUMA nodes
 * have been settled. Its answer is advice: devices that are not among the available ones are passed
 * over, too many are cut to the lowest ids, too few are filled up. One that throws has the pod
 * refused.
 */
@FunctionalInterface
public interface PreferredAllocation {
  /**
   * The devices to take.
   *
   * @param available those that may be taken, lowest id first; the included ones are among them
   * @param included those that are taken in any case
   * @param size how many are wanted in all
   * @return ids of the preferred ones, the included ones among them or not
   */
  Collection<String> prefer(List<Device> available, List<Device> included, int size);
}
