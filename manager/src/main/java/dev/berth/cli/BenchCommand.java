package dev.berth.cli;

import dev.berth.bench.Stopwatch;
import dev.berth.bench.Stopwatch.Timing;
import dev.berth.bench.Workload;
import dev.berth.bench.Workloads;
import dev.berth.cpu.InvalidInputException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth bench}: times the named workloads. */
@Command(
    name = "bench",
    description = "Times the named workloads, warm; the first, cold run stands beside.",
    footer = {
      "",
      "Examples:",
      "  berth bench",
      "  berth bench -o json fill/epyc-7702p",
      "",
      "A NAME is a workload's name or the beginning of some; docs/benchmark.md defines them."
    })
final class BenchCommand implements Callable<Integer> {
  private final Output output;

  @Option(names = "-o", paramLabel = "FORMAT", description = "text or json (one object a line).")
  private OutputFormat format = OutputFormat.TEXT;

  @Option(names = "--list", description = "Only list the names.")
  private boolean list;

  @Parameters(paramLabel = "NAME", arity = "0..*", description = "Which; all by default.")
  private List<String> names = List.of();

  BenchCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() {
    for (Workload workload : chosen()) {
      if (list) {
        output.out().println(listed(workload));
        continue;
      }
      Timing timing = Stopwatch.ORDINARY.time(workload);
      output.out().println(line(workload, timing));
      output.out().flush();
    }
    return ExitCode.DONE.number();
  }

  private String listed(Workload workload) {
    return switch (format) {
      case JSON -> "{\"name\":\"" + workload.name() + "\"}";
      case TEXT -> workload.name();
    };
  }

  private List<Workload> chosen() {
    List<Workload> all = Workloads.all();
    for (String name : names) {
      if (all.stream().noneMatch(workload -> workload.name().startsWith(name))) {
        throw new InvalidInputException(
            "workload \""
                + name
                + "\": expected one of "
                + all.stream().map(Workload::name).collect(Collectors.joining(", ")));
      }
    }
    return all.stream()
        .filter(workload ->
            names.isEmpty() || names.stream().anyMatch(name -> workload.name().startsWith(name)))
        .toList();
  }

  private String line(Workload workload, Timing timing) {
    return switch (format) {
      case JSON ->
          "{\"name\":\""
              + workload.name()
              + "\",\"ns\":"
              + timing.ns()
              + ",\"runs\":"
              + timing.runs()
              + ",\"coldNs\":"
              + timing.coldNs()
              + "}";
      case TEXT ->
          String.format(
              Locale.ROOT,
              "%-52s %12.3f µs warm %10.3f ms cold",
              workload.name(),
              timing.ns() / 1e3,
              timing.coldNs() / 1e6);
    };
  }
}
