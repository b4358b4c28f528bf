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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What decisions allocate may not grow unseen: it does not depend on what else the machine does, as
 * times would.
 */
class AllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Object[] KEPT = new Object[64];
  private static final int ROUNDS = 20;
  private static final int RUNS_A_ROUND = 50;
  private static final int RUNS = 20_000;

  /**
   * Bytes for one choice of each kind, about a tenth above what was measured: for most, the set and
   * its words. A single list or lambda a core would be far beyond.
   */
  static Stream<Arguments> options() {
    return Stream.of(
        Arguments.of(StaticOptions.NONE, 52),
        Arguments.of(with(StaticOption.PREFER_ALIGN_BY_CACHE), 52),
        Arguments.of(new StaticOptions(Set.of(), true), 52),
        Arguments.of(with(StaticOption.STRICT_ALIGN_BY_CACHE), 52),
        Arguments.of(with(StaticOption.DISTRIBUTE_ACROSS_CORES), 44),
        Arguments.of(with(StaticOption.DISTRIBUTE_ACROSS_NUMA), 730),
        Arguments.of(with(StaticOption.ALIGN_BY_SOCKET), 52),
        Arguments.of(with(StaticOption.FULL_PCPUS_ONLY), 52));
  }

  private static StaticOptions with(StaticOption option) {
    return new StaticOptions(Set.of(option), false);
  }

  @ParameterizedTest
  @MethodSource("options")
  void choosingAllocatesNoMoreThanItDid(StaticOptions options, long mostBytes) {
    expectBytes("epyc-7702p", options, 4, mostBytes);
  }

  /** Over several nodes, which is what dealing out evenly is for. */
  @Test
  void dealingOutOverNodesAllocatesNoMoreThanItDid() {
    StaticOptions options = with(StaticOption.DISTRIBUTE_ACROSS_NUMA);
    expectBytes("epyc-9654-2p-nps4", options, 96, 1_790);
  }

  private static void expectBytes(String name, StaticOptions options, int count, long mostBytes) {
    Machine machine = Machines.named(name);
    Chooser chooser = new Choosers(machine, options).make();
    CpuSet free = machine.cpus().difference(CpuSet.of(0, 64));
    long chosen = 0;
    long before = 0;
    for (int run = -RUNS; run < RUNS; run++) {
      if (run == 0) {
        before = THREADS.getCurrentThreadAllocatedBytes();
      }
      chosen += chooser.choose(free, count, Trace.OFF).size();
    }
    long bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / RUNS;
    assertThat(chosen).isEqualTo(2L * count * RUNS);
    assertThat(bytes)
        .as("%s: %d bytes a choice, of %d that it may have", options, bytes, mostBytes)
        .isBetween(1L, mostBytes);
  }

  /**
   * Bytes for one run of each workload, about a tenth above what was measured. A change that brings
   * them down brings them down here too.
   */
  static Stream<Arguments> workloads() {
    return Stream.of(
        Arguments.of("fill/epyc-7702p/packed/4", 66_000),
        Arguments.of("fill/epyc-7702p/uncore/4", 65_000),
        Arguments.of("fill/epyc-9654-2p-nps2/packed/8/best-effort", 204_000),
        Arguments.of("fill/epyc-9654-2p-nps4/distribute/48/best-effort", 49_000),
        Arguments.of("fill/xeon-8490h-2p-snc4/packed/8/restricted", 117_000),
        Arguments.of("admit-one/numa8/best-effort", 6_950),
        Arguments.of("admit-one/numa64/best-effort", 11_900),
        Arguments.of("admit-one/cpus512/best-effort", 7_750),
        Arguments.of("admit-one/numa8/all", 35_000),
        Arguments.of("admit-one/numa64/all", 142_000),
        Arguments.of("merge/numa4/providers1", 422),
        Arguments.of("merge/numa4/providers4", 890),
        Arguments.of("merge/numa8/providers4", 1_150),
        Arguments.of("merge/numa16/providers4", 90_900),
        Arguments.of("merge/numa8/providers4/described", 6_450),
        Arguments.of("merge/numa64/providers4", 7_450));
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void aWorkloadAllocatesNoMoreThanItDid(String name, long mostBytes) {
    long bytes = bytesPerRun(Workloads.named(name).orElseThrow().prepare());
    assertThat(bytes)
        .as("%s: %d bytes a run, of %d that it may have", name, bytes, mostBytes)
        .isBetween(1L, mostBytes);
  }

  /** The least of several rounds: a compiler that is not done yet can only add to it. */
  private static long bytesPerRun(Workload<?> workload) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int run = 0; run < RUNS_A_ROUND; run++) {
        KEPT[run % KEPT.length] = workload.run();
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least / RUNS_A_ROUND;
  }
}
