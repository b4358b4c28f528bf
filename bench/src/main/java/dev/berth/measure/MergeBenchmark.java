package dev.berth.measure;

import dev.berth.hints.BestEffort;
import dev.berth.hints.Cover;
import dev.berth.hints.Demand;
import dev.berth.hints.Merged;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Preference;
import dev.berth.hints.TieBreak;
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

/** Agreeing on nodes: four resources, each of which is partly taken in another way. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@State(Scope.Benchmark)
public class MergeBenchmark {
  private static final BestEffort POLICY = new BestEffort(TieBreak.LOWEST);
  private static final int RESOURCES = 4;

  @Param({"4", "8", "64"})
  private int count = 4;

  private Nodes nodes = nodes(count);
  private List<Offer> offers = List.of();

  private static Nodes nodes(int count) {
    return Nodes.of(Machines.parse("pack:2 node:" + count / 2 + " core:8 pu:2"));
  }

  @Setup
  public void prepare() {
    nodes = nodes(count);
    offers = new ArrayList<>();
    for (int resource = 0; resource < RESOURCES; resource++) {
      long[] free = new long[count];
      int step = resource + 3;
      Arrays.setAll(free, node -> 4L * (node * step % 5));
      offers.add(
          Offer.family(
              Cover.of(nodes, nodes.all(), Demand.atLeast(12 + 4L * resource, free)),
              Preference.ofSize(1 + resource % 2)));
    }
  }

  @Benchmark
  public Merged merge() {
    return POLICY.merge(nodes, offers);
  }
}
