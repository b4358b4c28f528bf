package dev.berth.hwloc;

import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.Machine;

/**
 * Machines as hwloc XML.
 *
 * <p>hwloc knows no isolated CPUs, so these are lost on the way. Where several NUMA nodes are near
 * the same CPUs, those belong to the node with the lowest id, as on real machines with fast and
 * slow memory.
 */
public final class HwlocXml {
  private HwlocXml() {}

  /**
   * Reads a topology file of hwloc 1.x or 2.x.
   *
   * @param xml the content of the file
   * @param name what to call the machine if the file does not say
   * @throws InvalidInputException naming the element, or the line and column, where something else
   *     was expected
   */
  public static Machine read(String xml, String name) {
    return new HwlocReader(xml, name).read();
  }

  /**
   * Writes a topology file of hwloc 2.
   *
   * @throws InvalidInputException where the machine's places do not nest, for hwloc has only trees
   */
  public static String write(Machine machine) {
    return new HwlocWriter(machine).write();
  }
}
