package dev.berth.agent;

import dev.berth.cgroup.Bystanders;
import dev.berth.cpu.CpuSet;
import dev.berth.linux.Company;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Keeps those off CPUs who are not ours: the machine's programs and the kernel's threads. On the
 * loop only.
 *
 * <p>Nothing is written down for it: who was moved is in a group of the kernel, and an agent that
 * begins lets go whom one before it has left there for nobody.
 */
final class Seclusion implements Fulfilment {
  /** How others are kept off here. */
  sealed interface Way {
    /**
     * They are moved to other CPUs.
     *
     * @param groups whether groups beside ours are those of others
     */
    record Moving(Bystanders bystanders, boolean groups) implements Way {}

    /** The kernel does it by itself: CPUs are isolated. */
    record Isolated() implements Way {}

    /**
     * It cannot be done.
     *
     * @param why in one line
     */
    record Impossible(String why) implements Way {}
  }

  private static final String OTHERS = "others may run there too";

  private final Way way;
  private final Events events;

  /** What others are kept off; nothing is known of it at first. */
  private Optional<CpuSet> secluded = Optional.empty();

  private String fault = "";
  private String told = "";

  Seclusion(Way way, Events events) {
    this.way = way;
    this.events = events;
  }

  /**
   * Of an agent.
   *
   * @param isolated whether exclusive containers are isolated partitions
   */
  static Seclusion of(AgentOptions options, boolean isolated, Events events) {
    return new Seclusion(
        options.pretending() || isolated ? new Way.Isolated() : moving(options), events);
  }

  private static Way moving(AgentOptions options) {
    try {
      return new Way.Moving(
          Bystanders.find(options.cgroup(), Company::isFixed), options.foreign().isEmpty());
    } catch (IOException e) {
      return new Way.Impossible(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void keep(CpuSet wanted) {
    if (!secluded.equals(Optional.of(wanted))) {
      settle(wanted);
    }
  }

  /** Who came since goes too, and is no repair: a group that somebody changed is. */
  @Override
  public int check(CpuSet wanted) {
    boolean same = secluded.equals(Optional.of(wanted));
    return settle(wanted) && same ? 1 : 0;
  }

  /** Whether anything was changed. */
  private boolean settle(CpuSet wanted) {
    boolean changed = false;
    fault = "";
    switch (way) {
      case Way.Isolated() -> secluded = Optional.of(wanted);
      case Way.Impossible(String why) -> fault = wanted.isEmpty() ? "" : why;
      case Way.Moving(Bystanders bystanders, boolean groups) -> {
        try {
          changed = bystanders.keepOff(wanted);
          secluded = Optional.of(wanted);
          fault = wanted.isEmpty() ? "" : remaining(bystanders.intruders(wanted, groups));
        } catch (IOException e) {
          secluded = Optional.empty();
          fault = String.valueOf(e.getMessage());
        }
      }
    }
    tell(wanted);
    return changed;
  }

  private static String remaining(List<String> intruders) {
    return intruders.isEmpty() ? "" : OTHERS + ", such as " + String.join(", ", intruders);
  }

  /** The same again and again is told once, whoever it is about. */
  private void tell(CpuSet wanted) {
    String kind = fault.startsWith(OTHERS) ? OTHERS : fault;
    if (!fault.isEmpty()) {
      String cpus = (wanted.size() == 1 ? "CPU " : "CPUs ") + wanted;
      fault =
          wanted.isEmpty()
              ? "others cannot be let go where they like: " + fault
              : cpus + " cannot be kept undisturbed: " + fault;
    }
    if (!kind.isEmpty() && !kind.equals(told)) {
      events.add("warning", "", fault);
    }
    told = kind;
  }

  @Override
  public boolean holds(CpuSet cpus) {
    return fault.isEmpty() && secluded.filter(cpus::isSubsetOf).isPresent();
  }

  @Override
  public String caution() {
    return fault;
  }
}
