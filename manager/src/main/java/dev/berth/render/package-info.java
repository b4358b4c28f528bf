/**
 * Machines as people and programs see them: text for a terminal, JSON, and a picture.
 *
 * <p>Each form is a pure function of a {@link dev.berth.topology.Machine}. The text and the picture
 * read the same {@link dev.berth.render.Layout}, which nests the places of a machine as far as they
 * nest; JSON keeps everything and can be read back. With an {@link dev.berth.render.Occupancy} the
 * picture shows who has which CPUs.
 *
 * {@snippet :
 * Machine machine = Machines.named("epyc-7702p");
 * MachineText.render(machine, 80);
 * MachineSvg.render(machine);
 * MachineSvg.render(machine, occupancy);                          // coloured by owner
 * MachineJson.read(MachineJson.write(machine)).equals(machine);   // true
 * }
 *
 * <p>The rule of this package: no I/O. Who asked decides where the result goes.
 */
@NullMarked
package dev.berth.render;

import org.jspecify.annotations.NullMarked;
