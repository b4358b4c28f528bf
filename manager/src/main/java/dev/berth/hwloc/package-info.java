/**
 * hwloc as a neighbour: its XML files, in and out.
 *
 * <p>{@link dev.berth.hwloc.HwlocXml} reads what {@code lstopo} of versions 1 and 2 writes, from
 * any machine and operating system, and writes what {@code lstopo} of version 2 reads. A topology
 * file is a common thing to have of a machine that one cannot log in to.
 *
 * {@snippet :
 * Machine machine = HwlocXml.read(Files.readString(Path.of("node.xml")), "node");
 * String xml = HwlocXml.write(machine);
 * }
 *
 * <p>The rule of this package: objects are sets of CPUs. Where an object hangs in hwloc's tree says
 * nothing more, so machines whose places do not nest can be read; writing such a one is refused.
 */
@NullMarked
package dev.berth.hwloc;

import org.jspecify.annotations.NullMarked;
