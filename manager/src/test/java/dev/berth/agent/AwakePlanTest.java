package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.ResumeLatency;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AwakePlanTest {
  private static final int CPUS = 6;
  private static final int STEPS = Integer.getInteger("berth.steps", 20_000);

  private static AwakePlan plan(
      CpuSet wanted, Map<Integer, String> former, Map<Integer, String> seen) {
    return AwakePlan.of(wanted, new TreeMap<>(former), new TreeMap<>(seen));
  }

  @Test
  void remembersWhatACpuHadBeforeItIsWoken() {
    AwakePlan plan = plan(CpuSet.of(1, 2), Map.of(), Map.of(1, "0", 2, "20"));
    assertThat(plan.wake()).isEqualTo(CpuSet.of(1, 2));
    assertThat(plan.former()).containsExactlyInAnyOrderEntriesOf(Map.of(1, "0", 2, "20"));
    assertThat(plan.repaired()).isEqualTo(CpuSet.EMPTY);
    assertThat(plan.restore()).isEmpty();
  }

  @Test
  void leavesOneAsItIsThatAnotherKeepsAwake() {
    AwakePlan plan = plan(CpuSet.of(1), Map.of(), Map.of(1, "n/a"));
    assertThat(plan.wake()).isEqualTo(CpuSet.EMPTY);
    assertThat(plan.former()).containsExactly(Map.entry(1, "n/a"));
    assertThat(plan(CpuSet.EMPTY, plan.former(), Map.of(1, "n/a")).restore()).isEmpty();
  }

  @Test
  void givesBackWhatNobodyNeedsUnlessAnotherHasWrittenItSince() {
    assertThat(plan(CpuSet.EMPTY, Map.of(1, "20"), Map.of(1, "n/a")).restore())
        .containsExactly(Map.entry(1, "20"));
    assertThat(plan(CpuSet.EMPTY, Map.of(1, "20"), Map.of(1, "7")).restore()).isEmpty();
    assertThat(plan(CpuSet.EMPTY, Map.of(1, "20"), Map.of()).restore()).as("it is gone").isEmpty();
  }

  @Test
  void wakesOneAgainThatAnotherChangedAndRemembersTheOthersValue() {
    AwakePlan plan = plan(CpuSet.of(1), Map.of(1, "0"), Map.of(1, "50"));
    assertThat(plan.wake()).isEqualTo(CpuSet.of(1));
    assertThat(plan.repaired()).isEqualTo(CpuSet.of(1));
    assertThat(plan.former()).containsExactly(Map.entry(1, "50"));
  }

  @Test
  void doesNothingAboutCpusOfWhichNothingIsKnown() {
    AwakePlan plan = plan(CpuSet.of(1, 2), Map.of(1, "0"), Map.of());
    assertThat(plan.wake()).isEqualTo(CpuSet.EMPTY);
    assertThat(plan.former()).containsExactly(Map.entry(1, "0"));
  }

  /**
   * Pods come and go, others write, agents die after any write: in the end every CPU has what
   * somebody other than us wrote last.
   */
  @Test
  void whateverHappensOthersFindWhatTheyWrote() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Model model = new Model(random);
    for (int step = 0; step < STEPS; step++) {
      String when = "seed " + seed + ", step " + step;
      if (random.nextInt(4) == 0) {
        model.anotherWrites(random.nextInt(CPUS));
      }
      CpuSet wanted = random.nextInt(5) == 0 ? CpuSet.EMPTY : some(random);
      int writes = random.nextInt(3) == 0 ? random.nextInt(2 * CPUS) : Integer.MAX_VALUE;
      model.settle(wanted, writes);
      model.settle(wanted, Integer.MAX_VALUE);
      for (int cpu = 0; cpu < CPUS; cpu++) {
        assertThat(model.kernel.get(cpu))
            .as("%s: CPU %d", when, cpu)
            .isEqualTo(wanted.contains(cpu) ? ResumeLatency.NONE : model.others.get(cpu));
      }
      assertThat(model.file.keySet()).as(when).allMatch(wanted::contains);
    }
  }

  private static CpuSet some(Random random) {
    CpuSet some = CpuSet.EMPTY;
    for (int cpu = 0; cpu < CPUS; cpu++) {
      some = random.nextBoolean() ? some.union(CpuSet.of(cpu)) : some;
    }
    return some;
  }

  /** A kernel, a file that outlives the agent, and an agent that may die before any write. */
  private static final class Model {
    private final Random random;
    private final SortedMap<Integer, String> kernel = new TreeMap<>();
    private final SortedMap<Integer, String> others = new TreeMap<>();
    private SortedMap<Integer, String> file = new TreeMap<>();

    private Model(Random random) {
      this.random = random;
      for (int cpu = 0; cpu < CPUS; cpu++) {
        kernel.put(cpu, ResumeLatency.ANY);
        others.put(cpu, ResumeLatency.ANY);
      }
    }

    /** Nobody can tell another's n/a from ours, so nobody writes it while a CPU is kept awake. */
    private void anotherWrites(int cpu) {
      String value = String.valueOf(random.nextInt(3) * 10);
      String written = file.containsKey(cpu) || random.nextInt(4) > 0 ? value : ResumeLatency.NONE;
      kernel.put(cpu, written);
      others.put(cpu, written);
    }

    private void settle(CpuSet wanted, int writes) {
      AwakePlan plan = AwakePlan.of(wanted, file, kernel);
      int left = writes;
      if (left-- <= 0) {
        return;
      }
      file = new TreeMap<>(plan.former());
      for (int cpu : plan.wake().stream().toArray()) {
        if (left-- <= 0) {
          return;
        }
        kernel.put(cpu, ResumeLatency.NONE);
      }
      for (Map.Entry<Integer, String> one : plan.restore().entrySet()) {
        if (left-- <= 0) {
          return;
        }
        kernel.put(one.getKey(), one.getValue());
      }
      if (left > 0) {
        file.keySet().removeIf(cpu -> !wanted.contains(cpu));
      }
    }
  }
}
