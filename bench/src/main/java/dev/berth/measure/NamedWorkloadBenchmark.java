package dev.berth.measure;

import dev.berth.bench.Workloads;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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

/** The workloads of {@code berth bench}, timed by JMH. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Benchmark)
public class NamedWorkloadBenchmark {
  static final String PARAMETER = "workload";

  @Param({})
  private String workload = "";

  private Supplier<?> chosen = () -> "";

  @Setup
  public void choose() {
    chosen =
        Workloads.named(workload)
            .orElseThrow(() -> new IllegalArgumentException("no workload \"" + workload + '"'))
            .prepare()
            .body();
  }

  @Benchmark
  public Object run() {
    return chosen.get();
  }
}
