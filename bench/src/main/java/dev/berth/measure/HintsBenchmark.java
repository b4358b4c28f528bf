package dev.berth.measure;

import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Cover;
import dev.berth.hints.Demand;
import dev.berth.hints.Hint;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Preference;
import dev.berth.topology.Machines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

/** Making offers: what a resource could be given from, described and by list. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Benchmark)
public class HintsBenchmark {
  @Param({"4", "8", "64"})
  private int count = 4;

  private Nodes nodes = nodes(count);
  private long[] free = {};
  private List<Hint> list = List.of();

  private static Nodes nodes(int count) {
    return Nodes.of(Machines.parse("pack:2 node:" + count / 2 + " core:8 pu:2"));
  }

  @Setup
  public void prepare() {
    nodes = nodes(count);
    free = new long[count];
    Arrays.setAll(free, node -> 4L * (node % 5));
    list = new ArrayList<>();
    for (int node = 0; node < count; node++) {
      list.add(new Hint(Affinity.to(NodeSet.of(nodes.id(node))), true));
      list.add(new Hint(Affinity.to(NodeSet.of(nodes.id(0), nodes.id(node))), false));
    }
  }

  @Benchmark
  public Offer described() {
    return Offer.family(
        Cover.of(nodes, nodes.all(), Demand.atLeast(24, free)), Preference.ofSize(2));
  }

  @Benchmark
  public Offer listed() {
    return Offer.listed(nodes, list);
  }
}
