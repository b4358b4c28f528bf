package dev.berth.measure;

import dev.berth.bench.NamedWorkload;
import dev.berth.bench.Workloads;
import java.io.IOException;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the benchmarks, with JMH's own options; all of them take a few minutes on two cores. */
public final class Benchmarks {
  private Benchmarks() {}

  /** Runs those whose names match, or all. */
  public static void main(String... arguments)
      throws RunnerException, CommandLineOptionException, IOException {
    CommandLineOptions given = new CommandLineOptions(arguments);
    if (given.shouldHelp() || given.shouldList() || given.shouldListWithParams()) {
      Main.main(arguments);
      return;
    }
    ChainedOptionsBuilder options = new OptionsBuilder().parent(given);
    if (!given.getParameter(NamedWorkloadBenchmark.PARAMETER).hasValue()) {
      // JMH wants constants in its annotation; the names are told in one place only.
      options.param(NamedWorkloadBenchmark.PARAMETER, names());
    }
    new Runner(options.build()).run();
  }

  private static String[] names() {
    return Workloads.all().stream().map(NamedWorkload::name).toArray(String[]::new);
  }
}
