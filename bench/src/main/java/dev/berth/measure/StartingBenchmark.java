package dev.berth.measure;

import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
 * From the start of a node to its first pod, with all that is derived from the machine and then
 * kept with it: the first node that is ever started on a machine waits for that too.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Thread)
public class StartingBenchmark {
  private static final Configuration BEST_EFFORT =
      Configuration.staticPolicy(Quantity.of(2))
          .with(
              new TopologySettings(
                  TopologySettings.Policy.BEST_EFFORT, TopologySettings.Scope.CONTAINER, Map.of()));

  @Param({"8", "12", "64"})
  private int nodes = 8;

  private Machine machine = described();

  private Machine described() {
    return Machines.parse("pack:2 node:" + nodes / 2 + " l3:1 core:8 pu:2");
  }

  /** Takes far longer than what is timed, so that JMH's own clock does not matter. */
  @Setup(Level.Invocation)
  public void discover() {
    machine = described();
  }

  @Benchmark
  public Decision onNewMachine() {
    return Node.start(machine, BEST_EFFORT).admit(Pod.guaranteed("p", 8));
  }
}
