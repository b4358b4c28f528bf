package dev.berth.measure;

import dev.berth.cgroup.Cgroups;
import dev.berth.cgroup.Changes;
import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Limit;
import dev.berth.cgroup.Quota;
import dev.berth.cgroup.Settings;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A pass over 200 containers whose groups are as they should be. The groups are pretended, so this
 * is our share of a pass; the kernel's comes on top.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Benchmark)
public class ReconcileBenchmark {
  private final Cgroups cgroups =
      Cgroups.dryRun("berth-measured", CpuSet.range(0, 511), NodeSet.of(0, 1)).cgroups();
  private final SortedMap<GroupPath, Settings> wanted = wanted();

  private static SortedMap<GroupPath, Settings> wanted() {
    SortedMap<GroupPath, Settings> wanted = new TreeMap<>();
    for (int i = 0; i < 200; i++) {
      wanted.put(
          GroupPath.of("pods", "pod-" + i / 2, "container-" + i % 2),
          Settings.NONE
              .withCpus(CpuSet.range(2 * i, 2 * i + 1))
              .withMems(NodeSet.of(0))
              .withWeight(100 + i)
              .withQuota(Quota.of(50_000))
              .withMemory(Limit.of(100_000_000L + 4_096L * i)));
    }
    return wanted;
  }

  @Setup
  public void prepare() {
    Changes changes = cgroups.apply(wanted);
    if (!changes.failures().isEmpty() || cgroups.reconcile(wanted).writes() != 0) {
      throw new IllegalStateException("groups that need no repair, found " + changes);
    }
  }

  @Benchmark
  public Changes quietPass() {
    return cgroups.reconcile(wanted);
  }
}
