package dev.berth.measure;

import dev.berth.allocation.FeatureGates;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
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

/** Kubernetes' checkpoint of a node that is full: 47 pods. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Benchmark)
public class CheckpointBenchmark {
  private final Node node = full();
  private final FeatureGates gates = node.configuration().gates();
  private final String text = write();

  private static Node full() {
    Node node =
        Node.start(
            Machines.parse("pack:2 node:2 l3:6 core:8 pu:2"),
            Configuration.staticPolicy(Quantity.of(2)));
    for (int i = 0; node.admit(Pod.guaranteed("p" + i, 8)) instanceof Decision.Granted; i++) {
      // until it is full
    }
    return node;
  }

  @Benchmark
  public final String write() {
    return CpuCheckpoint.of(node.assignments(), gates).write();
  }

  @Benchmark
  public CpuCheckpoint read() {
    return CpuCheckpoint.read("cpu_manager_state", text);
  }
}
