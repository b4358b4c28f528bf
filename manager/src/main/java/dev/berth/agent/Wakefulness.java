package dev.berth.agent;

import dev.berth.agent.state.FormerLatencies;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.linux.ResumeLatency;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps CPUs awake whose owners wish it, and gives each back what it had. On the loop only.
 *
 * <p>What a CPU had is written down before it is changed, so that nothing is lost where the agent
 * is killed: the next one gives back what nobody needs awake any more. Containers run on after the
 * agent, and so do their CPUs.
 */
final class Wakefulness implements Fulfilment {
  private final ResumeLatency kernel;
  private final Optional<FormerLatencies> file;
  private final Events events;
  private SortedMap<Integer, String> former = new TreeMap<>();

  /** Why CPUs are not awake that should be, and why others are that should not. */
  private final SortedMap<Integer, String> asleep = new TreeMap<>();

  private final SortedMap<Integer, String> stuck = new TreeMap<>();
  private String told = "";

  /** What CPUs had before this agent cannot be read. */
  private boolean lost;

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
      lose(e.line());
    } catch (IOException e) {
      lose(e.toString());
    }
  }

  private void lose(String why) {
    lost = true;
    events.add("failed", "", why + "; CPUs that nobody needs awake any more stay so");
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

  @Override
  public void keep(CpuSet wanted) {
    CpuSet known = known();
    settle(wanted, wanted.difference(known).union(known.difference(wanted)));
  }

  @Override
  public int check(CpuSet wanted) {
    return settle(wanted, wanted.union(known()));
  }

  @Override
  public boolean holds(CpuSet cpus) {
    return asleep.keySet().stream().noneMatch(cpus::contains);
  }

  @Override
  public String caution() {
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
      SortedMap<Integer, String> seen = seen(wanted, looked);
      AwakePlan plan = AwakePlan.of(wanted, formerly(wanted, seen), seen);
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
        if (wanted.contains(cpu)) {
          kernel.expectHeeded();
        }
        if (wanted.contains(cpu) && !value.equals(ResumeLatency.NONE)) {
          kernel.expectWritable(cpu);
        }
        seen.put(cpu, value);
      } catch (IOException e) {
        if (wanted.contains(cpu)) {
          asleep.put(cpu, e.getMessage());
        } else if (!(e.getCause() instanceof NoSuchFileException)) {
          // One that is gone has nothing to be given back; of any other it is not known yet.
          stuck.put(cpu, e.getMessage());
        }
      }
    });
    return seen;
  }

  /**
   * What CPUs had. Where that was lost, one that is to be awake and is so already was woken by the
   * agent before: it is to get back what a machine starts with.
   */
  private SortedMap<Integer, String> formerly(CpuSet wanted, SortedMap<Integer, String> seen) {
    SortedMap<Integer, String> values = new TreeMap<>(former);
    if (lost) {
      seen.forEach((cpu, value) -> {
        if (wanted.contains(cpu) && value.equals(ResumeLatency.NONE)) {
          values.putIfAbsent(cpu, ResumeLatency.ANY);
        }
      });
    }
    return values;
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

  /** The same again and again is told once, whichever CPUs it is about. */
  private void tell() {
    SortedMap<Integer, String> faults = asleep.isEmpty() ? stuck : asleep;
    String reason = faults.values().stream().findFirst().orElse("").replaceFirst("cpu[0-9]+/", "");
    if (!reason.isEmpty() && !reason.equals(told)) {
      events.add("warning", "", caution());
    }
    told = reason;
  }
}
