package dev.berth.measure;

import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.util.Map;
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
 * A pod comes and goes on a machine that others are on already, without the start of the node that
 * the named workloads have in them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Benchmark)
public class AdmissionBenchmark {
  @Param private TopologySettings.Policy policy = TopologySettings.Policy.NONE;

  private final Pod pod = Pod.guaranteed("guest", 8);
  private Node node = node(policy);

  private static Node node(TopologySettings.Policy policy) {
    Configuration configuration =
        Configuration.staticPolicy(Quantity.of(2))
            .with(new TopologySettings(policy, TopologySettings.Scope.CONTAINER, Map.of()));
    return Node.start(Machines.parse("pack:2 node:4 l3:3 core:8 pu:2"), configuration);
  }

  @Setup
  public void prepare() {
    node = node(policy);
    for (int i = 0; i < 24; i++) {
      if (node.admit(Pod.guaranteed("p" + i, 8)) instanceof Decision.Refused refused) {
        throw new IllegalStateException(refused.toString());
      }
    }
  }

  @Benchmark
  public Decision comeAndGo() {
    Decision decision = node.admit(pod);
    node.remove(pod.uid());
    return decision;
  }
}
