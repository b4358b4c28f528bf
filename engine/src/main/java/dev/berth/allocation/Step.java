package dev.berth.allocation;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.topology.Level;
import java.util.List;
import java.util.stream.Collectors;

/** One step of a decision about CPUs, in the order in which it was taken. */
public sealed interface Step {
  /** The step as a line for a person. */
  String text();

  /**
   * The question that the following steps answer.
   *
   * @param text what is asked, of how much
   */
  record Asked(String text) implements Step {}

  /**
   * A rule began.
   *
   * @param rule what it takes, for example {@code whole sockets}
   * @param needed how many CPUs were still needed
   */
  record Began(String rule, int needed) implements Step {
    @Override
    public String text() {
      return rule + ": " + needed + (needed == 1 ? " CPU is" : " CPUs are") + " needed";
    }
  }

  /**
   * Places were looked at, in this order.
   *
   * @param level their kind
   * @param order the places, first looked at first
   */
  record Looked(Level level, List<Place> order) implements Step {
    /** Takes a copy. */
    public Looked {
      order = List.copyOf(order);
    }

    @Override
    public String text() {
      String listed =
          order.stream()
              .limit(LISTED)
              .map(place -> place.id() + " (" + place.free() + "/" + place.size() + ")")
              .collect(Collectors.joining(", "));
      String rest = order.size() > LISTED ? " and " + (order.size() - LISTED) + " more" : "";
      return "looked at " + level.noun() + " (free/all) " + listed + rest;
    }

    private static final int LISTED = 16;
  }

  /**
   * A place, as it was when it was looked at.
   *
   * @param id its id
   * @param free how many of its CPUs could be taken
   * @param size how many it has
   */
  record Place(int id, int free, int size) {}

  /**
   * CPUs were taken.
   *
   * @param level the kind of place they were taken from
   * @param id that place
   * @param cpus the CPUs
   * @param needed how many were still needed after this
   */
  record Took(Level level, int id, CpuSet cpus, int needed) implements Step {
    @Override
    public String text() {
      return "took "
          + cpus
          + " of "
          + level.noun()
          + " "
          + id
          + (needed == 0 ? "; that is all" : "; " + needed + " to go");
    }
  }

  /**
   * A place was passed over.
   *
   * @param level its kind
   * @param place which, and how full
   * @param why the reason, as the end of a sentence
   */
  record PassedOver(Level level, Place place, String why) implements Step {
    @Override
    public String text() {
      return "passed over "
          + level.noun()
          + " "
          + place.id()
          + " ("
          + place.free()
          + " of "
          + place.size()
          + " free): "
          + why;
    }
  }

  /**
   * A resource said from which NUMA nodes it could be given.
   *
   * @param resource {@code cpu}, {@code memory}, a device's, …
   * @param alone the nodes that would do on their own
   * @param preferred whether it could be as good there as on an empty machine
   * @param text the line
   */
  record Offered(String resource, NodeSet alone, boolean preferred, String text) implements Step {}

  /**
   * Something else worth knowing.
   *
   * @param text the line
   */
  record Noted(String text) implements Step {}
}
