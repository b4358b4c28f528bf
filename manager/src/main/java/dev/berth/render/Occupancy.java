package dev.berth.render;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import java.util.List;

/**
 * Who has which CPUs of a machine, as a picture shows it.
 *
 * @param heading what is shown and by which rules they came to be there, a line each
 * @param reserved CPUs that are kept for the system
 * @param shared CPUs on which those run who have none of their own
 * @param occupants who has something of their own, in the order of the legend
 * @param remarks what else there is to say, a line each
 */
public record Occupancy(
    List<String> heading,
    CpuSet reserved,
    CpuSet shared,
    List<Occupant> occupants,
    List<String> remarks) {
  /** Takes copies. */
  public Occupancy {
    heading = List.copyOf(heading);
    occupants = List.copyOf(occupants);
    remarks = List.copyOf(remarks);
  }

  /**
   * Somebody with CPUs of its own.
   *
   * @param pod whose it is: occupants of one pod have one colour
   * @param name what the legend calls it
   * @param cpus its CPUs
   * @param beside what else it has, in words; may be empty
   */
  public record Occupant(String pod, String name, CpuSet cpus, String beside) {
    /** Refuses one without CPUs: it would have a colour that is nowhere. */
    public Occupant {
      if (cpus.isEmpty()) {
        throw new InvalidInputException("occupant " + name + ": expected CPUs, found none");
      }
    }
  }
}
