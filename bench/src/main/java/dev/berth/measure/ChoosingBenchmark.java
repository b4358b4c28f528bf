package dev.berth.measure;

import dev.berth.allocation.Chooser;
import dev.berth.allocation.Choosers;
import dev.berth.allocation.StaticOption;
import dev.berth.allocation.StaticOptions;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Choosing CPUs by each option: 24 of a machine of 384 that was full of pods of 8, of which every
 * third has left, whichever it was.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Benchmark)
public class ChoosingBenchmark {
  /** How the static policy is to choose. */
  public enum Way {
    PACKED,
    DISTRIBUTED_ACROSS_NUMA,
    DISTRIBUTED_ACROSS_CORES,
    BY_CACHE,
    BY_CACHE_BEST_FIT,
    BY_CACHE_STRICTLY,
    BY_SOCKET,
    WHOLE_CORES;

    StaticOptions options() {
      return switch (this) {
        case PACKED -> StaticOptions.NONE;
        case DISTRIBUTED_ACROSS_NUMA -> with(StaticOption.DISTRIBUTE_ACROSS_NUMA);
        case DISTRIBUTED_ACROSS_CORES -> with(StaticOption.DISTRIBUTE_ACROSS_CORES);
        case BY_CACHE -> with(StaticOption.PREFER_ALIGN_BY_CACHE);
        case BY_CACHE_BEST_FIT -> new StaticOptions(Set.of(), true);
        case BY_CACHE_STRICTLY -> with(StaticOption.STRICT_ALIGN_BY_CACHE);
        case BY_SOCKET -> with(StaticOption.ALIGN_BY_SOCKET);
        case WHOLE_CORES -> with(StaticOption.FULL_PCPUS_ONLY);
      };
    }

    private static StaticOptions with(StaticOption option) {
      return new StaticOptions(Set.of(option), false);
    }
  }

  private static final long SEED = 20261117;

  @Param private Way way = Way.PACKED;

  private final Machine machine = Machines.parse("pack:2 node:4 l3:3 core:8 pu:2");
  private Chooser chooser = new Choosers(machine, StaticOptions.NONE).make();
  private CpuSet free = CpuSet.EMPTY;

  @Setup
  public void prepare() {
    chooser = new Choosers(machine, way.options()).make();
    List<CpuSet> pods = new ArrayList<>();
    for (CpuSet rest = machine.cpus(); !rest.isEmpty(); rest = rest.difference(pods.getLast())) {
      pods.add(chooser.choose(rest, 8, Trace.OFF));
    }
    Collections.shuffle(pods, new Random(SEED));
    free = CpuSet.EMPTY;
    for (CpuSet left : pods.subList(0, pods.size() / 3)) {
      free = free.union(left);
    }
  }

  @Benchmark
  public CpuSet choose() {
    return chooser.choose(free, 24, Trace.OFF);
  }
}
