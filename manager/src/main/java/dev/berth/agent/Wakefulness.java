package dev.berth.agent;

import dev.berth.agent.state.FormerLatencies;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.linux.ResumeLatency;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps CPUs awake whose owners ask for it, and gives each back what it had. On the loop only.
 *
 * <p>What a CPU had is written down before it is changed, so that nothing is lost where the agent
 * is killed: the next one gives back what nobody needs awake any more. Containers run on after the
 * agent, and so do their CPUs.
 *
 * <p>Nobody is refused because a CPU cannot be kept awake. That is told once, and as long as it is
 * so, {@link #caution} says it.
 */
final class Wakefulness {
  private final ResumeLatency kernel;
  private final Optional<FormerLatencies> file;
  private final Events events;
  private SortedMap<Integer, String> former = new TreeMap<>();

  /** Why CPUs are not awake that should be, and why others are that should not. */
  private final SortedMap<Integer, String> asleep = new TreeMap<>();

  private final SortedMap<Integer, String> stuck = new TreeMap<>();
  private String told = "";

  /**
   * Begins with what an agent before this one has left.
   *
   * @param file where it is written down; none for an agent that touches nothing
   */
  Wakefulness(ResumeLatency kernel, Optional<FormerLatencies> file, Events events) {
    this.kernel = kernel;
    this.file = file;
    this.events = events;
    try {
      if (file.isPresent()) {
        former = new TreeMap<>(file.get().read());
      }
    } catch (InvalidInputException e) {
      events.add("failed", "", e.line() + "; CPUs that were kept awake stay so");
    } catch (IOException e) {
      events.add("failed", "", e + "; CPUs that were kept awake stay so");
    }
  }

  /** Of an agent: one that pretends touches nothing. */
  static Wakefulness of(AgentOptions options, String bootId, Events events) {
    return new Wakefulness(
        ResumeLatency.here(),
        options.pretending()
            ? Optional.empty()
            : Optional.of(new FormerLatencies(options.state(), bootId)),
        events);
  }

  /** For one who has nobody to keep awake. */
  static Wakefulness pretended(Events events) {
    return new Wakefulness(ResumeLatency.here(), Optional.empty(), events);
  }

  /** From now on these CPUs are awake and no others, as far as they are not known to be so. */
  void keep(CpuSet wanted) {
    CpuSet known = known();
    settle(wanted, wanted.difference(known).union(known.difference(wanted)));
  }

  /**
   * The same, but looks at every CPU and repairs what others changed.
   *
   * @return how many were changed
   */
  int check(CpuSet wanted) {
    return settle(wanted, wanted.union(known()));
  }

  /** Whether all of these are awake, of those that are to be. */
  boolean areAwake(CpuSet cpus) {
    return asleep.keySet().stream().noneMatch(cpus::contains);
  }

  /** What those should know who count on it; empty where they can. */
  String caution() {
    if (!asleep.isEmpty()) {
      return line(asleep, " cannot be kept awake: ");
    }
    return stuck.isEmpty() ? "" : line(stuck, " cannot be put back as before: ");
  }

  private static String line(SortedMap<Integer, String> faults, String words) {
    CpuSet cpus = set(faults);
    return (cpus.size() == 1 ? "CPU " : "CPUs ") + cpus + words + faults.get(faults.firstKey());
  }

  private CpuSet known() {
    return set(former);
  }

  private static CpuSet set(SortedMap<Integer, String> byCpu) {
    return CpuSet.of(byCpu.keySet().stream().mapToInt(Integer::intValue).toArray());
  }

  private int settle(CpuSet wanted, CpuSet looked) {
    asleep.keySet().removeIf(cpu -> looked.contains(cpu) || !wanted.contains(cpu));
    stuck.clear();
    int repaired = 0;
    if (file.isPresent() && !looked.isEmpty()) {
      AwakePlan plan = AwakePlan.of(wanted, former, seen(wanted, looked));
      repaired = carryOut(plan, wanted);
    }
    tell();
    return repaired;
  }

  /** What CPUs have; those that are to be awake and cannot be are left out, and it is noted why. */
  private SortedMap<Integer, String> seen(CpuSet wanted, CpuSet looked) {
    SortedMap<Integer, String> seen = new TreeMap<>();
    looked.forEach(cpu -> {
      try {
        String value = kernel.read(cpu);
        if (wanted.contains(cpu) && !value.equals(ResumeLatency.NONE)) {
          kernel.expectWritable(cpu);
        }
        seen.put(cpu, value);
      } catch (IOException e) {
        if (wanted.contains(cpu)) {
          asleep.put(cpu, e.getMessage());
        }
      }
    });
    return seen;
  }

  private int carryOut(AwakePlan plan, CpuSet wanted) {
    int repaired = 0;
    if (remember(plan.former(), plan.wake())) {
      plan.wake().forEach(cpu -> write(cpu, ResumeLatency.NONE, asleep));
      repaired = (int) plan.repaired().stream().filter(cpu -> !asleep.containsKey(cpu)).count();
    }
    plan.restore().forEach((cpu, value) -> write(cpu, value, stuck));
    CpuSet needed = wanted.union(set(stuck));
    SortedMap<Integer, String> kept = new TreeMap<>(former);
    kept.keySet().removeIf(cpu -> !needed.contains(cpu));
    remember(kept, CpuSet.EMPTY);
    return repaired;
  }

  private void write(int cpu, String value, SortedMap<Integer, String> faults) {
    try {
      kernel.write(cpu, value);
    } catch (IOException e) {
      faults.put(cpu, e.getMessage());
    }
  }

  /**
   * Writes down what CPUs had; where that cannot be, nothing may be changed.
   *
   * @param wake those that were about to be
   */
  private boolean remember(SortedMap<Integer, String> values, CpuSet wake) {
    if (values.equals(former)) {
      return true;
    }
    try {
      file.orElseThrow().write(values);
      former = new TreeMap<>(values);
      return true;
    } catch (IOException e) {
      wake.forEach(cpu -> asleep.put(cpu, "the state folder cannot be written: " + e));
      return false;
    }
  }

  /** The same again and again is told once. */
  private void tell() {
    String caution = caution();
    if (!caution.isEmpty() && !caution.equals(told)) {
      told = caution;
      events.add("warning", "", caution);
    }
  }
}
