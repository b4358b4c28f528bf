package dev.berth.measure;

import dev.berth.linux.Sysfs;
import dev.berth.topology.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Reading a machine of 512 CPUs from its {@code /sys} tree, warm. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Benchmark)
public class DiscoveryBenchmark {
  private Path folder = Path.of("");

  @Setup
  public void prepare() throws IOException {
    folder = Files.createTempDirectory("berth-tree");
    new MachineTree(folder).write(MachineTree.LARGE);
  }

  @TearDown
  public void remove() throws IOException {
    MachineTree.delete(folder);
  }

  @Benchmark
  public Machine discover() {
    return Sysfs.discover(folder);
  }
}
