package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.berth.allocation.Chooser;
import dev.berth.allocation.Choosers;
import dev.berth.allocation.StaticOption;
import dev.berth.allocation.StaticOptions;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Choosing CPUs allocates its answer and next to nothing else, whatever nobody asks to be told. */
class AllocationTest {
  private static final int RUNS = 20_000;

  /** The set and its words, twice over; a single list or lambda a core would be far beyond. */
  private static final long MOST_BYTES = 160;

  static Stream<StaticOptions> options() {
    return Stream.of(
        StaticOptions.NONE,
        new StaticOptions(Set.of(StaticOption.PREFER_ALIGN_BY_CACHE), false),
        new StaticOptions(Set.of(StaticOption.DISTRIBUTE_ACROSS_CORES), false),
        new StaticOptions(Set.of(), true));
  }

  @ParameterizedTest
  @MethodSource("options")
  void choosingAllocatesLittleMoreThanItsAnswer(StaticOptions options) {
    Machine machine = Machines.named("epyc-7702p");
    Chooser chooser = new Choosers(machine, options).make();
    CpuSet free = machine.cpus().difference(CpuSet.of(0, 64));
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long chosen = 0;
    long before = 0;
    for (int run = -RUNS; run < RUNS; run++) {
      if (run == 0) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      chosen += chooser.choose(free, 4, Trace.OFF).size();
    }
    long bytes = (threads.getCurrentThreadAllocatedBytes() - before) / RUNS;
    assertThat(chosen).isEqualTo(8L * RUNS);
    assertThat(bytes).as(options.toString()).isLessThanOrEqualTo(MOST_BYTES);
  }
}
