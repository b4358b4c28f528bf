package dev.berth.measure;

import dev.berth.bench.Workloads;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The workloads of {@code berth bench} that start on a machine, on one that is new in each run:
 * with all that is derived from a machine and then kept with it, for which the first node that is
 * ever started on it waits too. The machine itself is made before the clock starts.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Thread)
public class NewMachineBenchmark {
  @Param({})
  private String workload = "";

  private Supplier<?> chosen = () -> "";

  /** Whether a workload is one of these; a merge knows of no machine. */
  static boolean has(String workload) {
    return !workload.startsWith("merge/");
  }

  /** To make a machine takes far longer than JMH's own clock, which then does not matter. */
  @Setup(Level.Invocation)
  public void describe() {
    chosen =
        Workloads.named(workload)
            .orElseThrow(() -> new IllegalArgumentException("no workload \"" + workload + '"'))
            .prepare()
            .body();
  }

  @Benchmark
  public Object onNewMachine() {
    return chosen.get();
  }
}
