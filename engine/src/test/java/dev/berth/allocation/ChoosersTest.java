package dev.berth.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.KnownMachine;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Worked examples on machines that have names, and what holds on all of them. */
class ChoosersTest {
  private static final long SEED = Long.getLong("berth.seed", 20261116L);
  private static final StaticOptions SPREAD = options(StaticOption.DISTRIBUTE_ACROSS_CORES);
  private static final StaticOptions FIRST_FIT = options(StaticOption.PREFER_ALIGN_BY_CACHE);
  private static final StaticOptions DISTRIBUTED = options(StaticOption.DISTRIBUTE_ACROSS_NUMA);
  private static final StaticOptions BEST_FIT = new StaticOptions(Set.of(), true);

  private static StaticOptions options(StaticOption... on) {
    return new StaticOptions(Set.of(on), false);
  }

  private static CpuSet choose(Machine machine, StaticOptions options, String from, int count) {
    return new Choosers(machine, options).make().choose(CpuSet.parse(from), count, Trace.OFF);
  }

  /** 16 caches of 4 cores; CPU n and n + 64 are one core, and 0 and 64 are taken. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 1, 1",
    "2, '1,65', 1-2, '1,65', '1,65'",
    "3, '1-2,65', 1-3, '1-2,65', '1-2,65'",
    "4, '1-2,65-66', 1-4, '1-2,65-66', '1-2,65-66'",
    "8, '1-4,65-68', 1-8, '4-7,68-71', '4-7,68-71'",
    "9, '1-5,65-68', 1-9, '1,4-7,68-71', '1-5,65-68'",
    "126, '1-63,65-127', '1-63,65-127', '1-63,65-127', '1-63,65-127'"
  })
  void fourWaysOnAnEpyc7702p(
      int count, String packed, String spread, String firstFit, String bestFit) {
    Machine machine = Machines.named("epyc-7702p");
    String free = "1-63,65-127";
    assertThat(choose(machine, StaticOptions.NONE, free, count)).hasToString(packed);
    assertThat(choose(machine, SPREAD, free, count)).hasToString(spread);
    assertThat(choose(machine, FIRST_FIT, free, count)).hasToString(firstFit);
    assertThat(choose(machine, BEST_FIT, free, count)).hasToString(bestFit);
  }

  @Test
  void nothingIsChosenWhereNothingIsAskedFor() {
    for (StaticOptions options : List.of(StaticOptions.NONE, SPREAD, FIRST_FIT, DISTRIBUTED)) {
      assertThat(choose(Machines.named("laptop-2-core"), options, "0", 0)).isSameAs(CpuSet.EMPTY);
    }
  }

  /** A hybrid processor: cores of two threads and cores of one. */
  @Test
  void unevenCoresAreTakenThreadByThread() {
    Machine machine = Machines.named("i7-12850hx");
    assertThat(machine.isEven(Level.CORE)).isFalse();
    CpuSet free = machine.cpus().difference(CpuSet.of(1));
    for (int count = 1; count <= free.size(); count++) {
      CpuSet chosen = choose(machine, StaticOptions.NONE, free.toString(), count);
      assertThat(chosen.size()).isEqualTo(count);
      assertThat(chosen.contains(1)).as("%d: %s", count, chosen).isFalse();
    }
  }

  static List<KnownMachine> machines() {
    return Machines.all();
  }

  /** As many as were asked for, of those that are free, told as they were taken. */
  @ParameterizedTest
  @MethodSource("machines")
  void everyChooserKeepsItsContractOnEveryBuiltInMachine(KnownMachine known) {
    Random random = new Random(SEED);
    Machine machine = known.machine();
    for (StaticOptions options :
        List.of(
            StaticOptions.NONE,
            SPREAD,
            FIRST_FIT,
            BEST_FIT,
            DISTRIBUTED,
            options(StaticOption.DISTRIBUTE_ACROSS_NUMA, StaticOption.FULL_PCPUS_ONLY))) {
      Chooser chooser = new Choosers(machine, options).make();
      Chooser fresh = new Choosers(machine, options).make();
      for (int i = 0; i < 40; i++) {
        CpuSet free = machine.cpus();
        for (int gone = random.nextInt(1 + free.size() / 2); gone > 0; gone--) {
          free = free.difference(CpuSet.of(random.nextInt(machine.cpus().last() + 1)));
        }
        int count = random.nextInt(1 + free.size());
        Trace trace = Trace.recording();
        CpuSet chosen = chooser.choose(free, count, Trace.OFF);
        String what = "seed " + SEED + ": " + options + ", " + count + " of " + free;
        assertThat(chosen.size()).as(what).isEqualTo(count);
        assertThat(chosen.isSubsetOf(free)).as(what).isTrue();
        assertThat(fresh.choose(free, count, trace)).as(what).isEqualTo(chosen);
        assertThat(taken(trace)).as(what).isEqualTo(chosen);
      }
    }
  }

  private static CpuSet taken(Trace trace) {
    CpuSet taken = CpuSet.EMPTY;
    for (Step step : trace.steps()) {
      if (step instanceof Step.Took took) {
        taken = taken.union(took.cpus());
      }
    }
    return taken;
  }

  @Test
  void aTraceThatIsOffKeepsNothing() {
    Trace.OFF.add(new Step.Noted("lost"));
    assertThat(Trace.OFF.steps()).isEmpty();
    assertThat(Trace.OFF.on()).isFalse();
  }
}
