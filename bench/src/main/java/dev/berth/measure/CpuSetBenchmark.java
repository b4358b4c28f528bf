package dev.berth.measure;

import dev.berth.cpu.CpuSet;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The algebra of sets of CPUs, on a machine of 512. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Benchmark)
public class CpuSetBenchmark {
  private final CpuSet free = CpuSet.parse("0-15,32-63,128-143,200-255,300-511");
  private final CpuSet near = CpuSet.range(192, 447);
  private final String list = free.toString();

  @Benchmark
  public CpuSet union() {
    return free.union(near);
  }

  @Benchmark
  public CpuSet intersection() {
    return free.intersection(near);
  }

  @Benchmark
  public CpuSet difference() {
    return free.difference(near);
  }

  @Benchmark
  public int shared() {
    return free.sharedWith(near);
  }

  @Benchmark
  public CpuSet parse() {
    return CpuSet.parse(list);
  }

  @Benchmark
  public String write() {
    return free.toString();
  }
}
