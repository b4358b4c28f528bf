package dev.berth.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.NamedWorkload;
import dev.berth.bench.Workloads;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Benchmarks that nobody runs would rot: each is run once, without a look at its time. */
@Tag("slow")
class BenchmarksTest {
  private static Collection<RunResult> runOnce(String benchmarks, String... workloads)
      throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include(benchmarks)
                .param(NamedWorkloadBenchmark.PARAMETER, workloads)
                .mode(Mode.SingleShotTime)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build())
        .run();
  }

  @Test
  void everyHotPathIsRun() throws RunnerException {
    Set<String> run =
        runOnce("Benchmark", "fill/epyc-7702p/packed/4").stream()
            .map(result -> result.getParams().getBenchmark().replaceAll(".*\\.(\\w+)\\.\\w+", "$1"))
            .collect(Collectors.toSet());
    assertThat(run)
        .containsExactlyInAnyOrder(
            "CpuSetBenchmark",
            "ChoosingBenchmark",
            "HintsBenchmark",
            "MergeBenchmark",
            "AdmissionBenchmark",
            "CheckpointBenchmark",
            "ReconcileBenchmark",
            "DiscoveryBenchmark",
            "NamedWorkloadBenchmark",
            "NewMachineBenchmark");
  }

  @Test
  void everyNamedWorkloadIsRun() throws RunnerException {
    String[] names = Workloads.all().stream().map(NamedWorkload::name).toArray(String[]::new);
    assertThat(runOnce("NamedWorkload", names)).hasSize(names.length);
  }
}
