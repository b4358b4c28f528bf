package dev.berth.cli;

import dev.berth.bench.Floors;
import dev.berth.bench.NamedWorkload;
import dev.berth.bench.Stopwatch;
import dev.berth.bench.Stopwatch.Timing;
import dev.berth.bench.Upstream;
import dev.berth.bench.Upstream.Told;
import dev.berth.bench.Workload;
import dev.berth.bench.Workloads;
import dev.berth.cpu.InvalidInputException;
import dev.berth.linux.InputFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth bench}: times the named workloads. */
final class BenchCommand implements Command {
  static final String SUMMARY =
      "Times the named workloads, warm; the first, cold run stands beside.";

  private final Output output;
  private OutputFormat format = OutputFormat.TEXT;
  private boolean list;
  private boolean cold;
  private Optional<Path> against = Optional.empty();
  private Optional<Path> floorsFile = Optional.empty();
  private Optional<Double> slack = Optional.empty();
  private List<String> names = List.of();
  private BenchTable table = new BenchTable(0, false);

  BenchCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "bench", SUMMARY)
        .with(
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says("text or json (one object a line)."),
            Option.named("--list").flag(value -> list = value).says("Only list the names."),
            Option.named("--cold")
                .flag(value -> cold = value)
                .says("Time only the first run of each."),
            Option.named("--against")
                .maybe("PROGRAM", Path.class, value -> against = Optional.ofNullable(value))
                .says("Run PROGRAM bench too, for Kubernetes' own times, and tell the ratios."),
            Option.named("--floors")
                .maybe("FILE", Path.class, value -> floorsFile = Optional.ofNullable(value))
                .says("Fail where a workload falls short of a ratio or time in FILE."),
            Option.named("--slack")
                .maybe("N", Double.class, value -> slack = Optional.ofNullable(value))
                .says("Ask only for ratios in FILE divided by N, 1 or more; times stay."),
            Parameter.any("NAME", names, value -> names = value).says("Which; all by default."))
        .footer(
            "",
            "Examples:",
            "  berth bench",
            "  berth bench -o json fill/epyc-7702p",
            "  berth bench --against target/bench/upstream --floors scripts/targets.txt",
            "",
            "A NAME is a workload's name or the beginning of some; docs/benchmark.md defines them.")
        .spec();
  }

  @Override
  public Integer call() {
    List<NamedWorkload> chosen = chosen();
    check();
    if (list) {
      chosen.forEach(workload -> output.out().println(listed(workload)));
      return ExitCode.DONE.number();
    }
    Floors floors = floorsFile.map(BenchCommand::floors).orElseGet(Floors::none);
    floors = floors.within(slack.orElse(1.0));
    Map<String, Timing> timings = new LinkedHashMap<>();
    Map<String, Told> upstream;
    try (Progress progress = new Progress(output, "timing")) {
      upstream = time(chosen, timings, progress);
    }
    boolean reached = true;
    for (Map.Entry<String, Timing> timed : timings.entrySet()) {
      Optional<Told> told = Optional.ofNullable(upstream.get(timed.getKey()));
      reached &= reaches(timed.getKey(), timed.getValue(), told, floors);
    }
    return (reached ? ExitCode.DONE : ExitCode.REFUSED).number();
  }

  private void check() {
    if (slack.isPresent() && floorsFile.isEmpty()) {
      throw new UsageException("Expected --floors FILE beside --slack");
    }
    slack
        .filter(n -> !(n >= 1 && n < Double.POSITIVE_INFINITY)) // that is not a number, too
        .ifPresent(n -> {
          throw new InvalidInputException(
              "--slack: expected a number that is 1 or more, found " + n);
        });
  }

  private boolean reaches(String name, Timing timing, Optional<Told> told, Floors floors) {
    Optional<Double> ratio = told.map(upstream -> (double) upstream.ns() / timing.ns());
    if (against.isPresent()) {
      output.out().println(line(name, timing, ratio));
    }
    List<String> faults = new ArrayList<>();
    told.flatMap(Told::outcome)
        .filter(outcome -> !outcome.equals(timing.outcome()))
        .ifPresent(outcome ->
            faults.add("expected " + outcome + " as Kubernetes has it, found " + timing.outcome()));
    floors.missed(name, timing.ns(), ratio).ifPresent(faults::add);
    faults.forEach(fault -> output.err().println("berth: " + name + ": " + fault));
    return faults.isEmpty();
  }

  /** Times ours, and Kubernetes' before and behind it; those are the answer. */
  private Map<String, Told> time(
      List<NamedWorkload> chosen, Map<String, Timing> timings, Progress progress) {
    table =
        BenchTable.of(
            chosen.stream().mapToInt(one -> one.name().length()).max().orElse(0),
            against.isPresent(),
            output.tableWidth());
    if (format == OutputFormat.TEXT) {
      output.out().println(table.heading());
    }
    // Kubernetes' own run takes longer than all of ours, and tells nothing before its end.
    Map<String, Told> upstream = against.map(Upstream::run).orElse(Map.of());
    for (NamedWorkload named : chosen) {
      progress.percent(100 * timings.size() / chosen.size());
      Workload<?> workload = named.prepare();
      timings.put(
          named.name(), cold ? Stopwatch.cold(workload) : Stopwatch.ORDINARY.time(workload));
      if (against.isEmpty()) {
        progress.close();
        output.out().println(line(named.name(), timings.get(named.name()), Optional.empty()));
        output.out().flush();
      }
    }
    // Once more behind ours, and the better time of each counts: what else the machine did
    // meanwhile must not make us look fast.
    return against
        .map(program -> Upstream.better(upstream, Upstream.run(program)))
        .orElse(upstream);
  }

  private static Floors floors(Path file) {
    List<String> lines = InputFile.text(file, "a file of floors").lines().toList();
    Floors floors = Floors.parse(file.toString(), lines);
    floors.check(file.toString(), Workloads.all());
    return floors;
  }

  private String listed(NamedWorkload workload) {
    return switch (format) {
      case JSON -> "{\"name\":\"" + workload.name() + "\"}";
      case TEXT -> workload.name();
    };
  }

  private List<NamedWorkload> chosen() {
    List<NamedWorkload> all = Workloads.all();
    for (String name : names) {
      if (all.stream().noneMatch(workload -> workload.name().startsWith(name))) {
        throw new InvalidInputException(
            "workload \""
                + name
                + "\": expected one of "
                + all.stream().map(NamedWorkload::name).collect(Collectors.joining(", ")));
      }
    }
    return all.stream()
        .filter(workload ->
            names.isEmpty() || names.stream().anyMatch(name -> workload.name().startsWith(name)))
        .toList();
  }

  private String line(String name, Timing timing, Optional<Double> ratio) {
    return switch (format) {
      case JSON ->
          String.format(
              Locale.ROOT,
              "{\"name\":\"%s\",\"ns\":%d,\"runs\":%d,\"coldNs\":%d,\"outcome\":\"%s\"%s}",
              name,
              timing.ns(),
              timing.runs(),
              timing.coldNs(),
              timing.outcome(),
              ratio.map(times -> String.format(Locale.ROOT, ",\"ratio\":%.1f", times)).orElse(""));
      case TEXT -> table.line(name, timing, ratio);
    };
  }
}
