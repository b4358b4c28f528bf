package dev.berth.cli;

import dev.berth.agent.Agent;
import dev.berth.agent.AgentLog;
import dev.berth.agent.AgentOptions;
import dev.berth.agent.AgentServers;
import dev.berth.agent.ForeignRuntime;
import dev.berth.agent.Ground;
import dev.berth.agent.HostAndPort;
import dev.berth.agent.Pretence;
import dev.berth.agent.Watchdog;
import dev.berth.cgroup.Bystanders;
import dev.berth.cgroup.Cgroups;
import dev.berth.cgroup.Detected;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import dev.berth.linux.Affinity;
import dev.berth.linux.Company;
import dev.berth.linux.LiveMachine;
import dev.berth.linux.ProcessId;
import dev.berth.linux.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth agent}: the node agent, until it is told to end. */
final class AgentCommand implements Command {
  static final String SUMMARY =
      "Runs the node agent: starts pods in cgroups, each on its own CPUs, and keeps them there."
          + " Containers outlive it, and the next one finds them again.";

  /** The group's name where none is given. */
  static final String CGROUP = "berth";

  private static final String EMBEDDED = "embedded";

  private final Output output;
  private final MachineSource source = new MachineSource();
  private final ConfigurationFlags configuration = new ConfigurationFlags();
  private final ProvidersFlag providers = new ProvidersFlag();
  private @Nullable Path state;
  private @Nullable Path socket;
  private String http = "127.0.0.1:8484";
  private String cgroup = CGROUP;
  private String runtime = EMBEDDED;
  private @Nullable Path runtimeSocket;
  private boolean dryRun;
  private boolean passing;
  private boolean second;

  AgentCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "agent", SUMMARY)
        .with(
            source,
            configuration,
            providers,
            this::places,
            this::starters,
            Option.named("--dry-run")
                .flag(value -> dryRun = value)
                .says("Decides and writes it down, but touches nothing."),
            Option.named("--allow-second-agent")
                .flag(value -> second = value)
                .says("Lets another agent run on this machine, on other CPUs than this one."),
            Option.named("--passing")
                .flag(value -> passing = value)
                .hidden()
                .says("Ends once nobody is left."))
        .footer(
            "",
            "Without root it uses a delegated cgroup v2 subtree where there is one, and"
                + " sched_setaffinity otherwise. SIGHUP reads the configuration anew, SIGTERM ends"
                + " it.",
            "",
            "Examples:",
            "  berth agent --reserved-cpus 0-1",
            "  berth agent --config /etc/berth/berth.yaml",
            "  berth agent --machine epyc-7702p --socket /tmp/try.sock    touches nothing")
        .spec();
  }

  /** Where it is found, and writes. */
  private void places(Syntax syntax) {
    syntax.with(
        Option.named("--state")
            .maybe("DIR", Path.class, value -> state = value)
            .says("Where it writes down who is there. Default: /var/lib/berth for root."),
        Option.named("--socket")
            .maybe("PATH", Path.class, value -> socket = value)
            .says("Where its clients find it. Default: /run/berth/berth.sock for root."),
        Option.named("--http")
            .takes("ADDRESS", String.class, http, value -> http = value)
            .says("The page, metrics and health; \"off\" for none. Default: ${DEFAULT-VALUE}."),
        Option.named("--cgroup")
            .takes("NAME", String.class, cgroup, value -> cgroup = value)
            .says("The one group under which everything of ours lives. Default: berth."));
  }

  /** Who starts containers. */
  private void starters(Syntax syntax) {
    syntax.with(
        Option.named("--runtime")
            .takes("KIND", String.class, runtime, value -> runtime = value)
            .says(
                "Who starts containers: embedded (the agent itself), nri or cri (containerd,"
                    + " CRI-O). Default: ${DEFAULT-VALUE}."),
        Option.named("--runtime-socket")
            .maybe("PATH", Path.class, value -> runtimeSocket = value)
            .says(
                "Where the runtime listens. Default: /var/run/nri/nri.sock for nri,"
                    + " /run/containerd/containerd.sock for cri."));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    AgentOptions options = options();
    if (!passing) {
      BroughtAgent.awaitLeaving(options.state());
    }
    NodeSettings settings = configuration.settings();
    AgentServers.expectFree(options.socket());
    AgentLog log = new AgentLog(output.err(), Clock.systemUTC(), settings.own().logFormat());
    if (options.pretence() == Pretence.NONE) {
      unmask();
    }
    Ground ground =
        (source.isGiven() ? Ground.fixed(source.machine()) : ground(LiveMachine.here(taken())))
            .with(providers.factories());
    CountDownLatch closed = new CountDownLatch(1);
    try (Agent agent = Agent.start(options, ground, this::settings, log);
        AgentServers servers = AgentServers.start(agent, log)) {
      Signals.calls("HUP", agent::reloadUnasked);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(agent, closed), "berth-end"));
      log.line("ready: " + String.join(", ", servers.names()));
      try (Watchdog _ = Watchdog.start(System.getenv(), options.socket(), log)) {
        agent.awaitEnd();
      }
    } finally {
      closed.countDown();
    }
    log.line("ended; containers run on");
    return ExitCode.DONE.number();
  }

  /**
   * With groups the kernel knows what we may use; a mask that somebody started us with would only
   * hide CPUs, and every container would inherit it.
   */
  private void unmask() throws IOException {
    Optional<ProcessId> self = ProcessId.of(ProcessHandle.current().pid());
    if (self.isPresent() && Cgroups.detect(cgroup) instanceof Detected.Usable) {
      Affinity.widen(self.get());
    }
  }

  /** What an agent before this one has taken from everybody, us too, is still ours to give. */
  private CpuSet taken() {
    CpuSet partitioned =
        switch (Cgroups.detect(cgroup)) {
          case Detected.Usable usable -> usable.cgroups().partitioned();
          case Detected.Unusable _ -> CpuSet.EMPTY;
        };
    try {
      return partitioned.union(Bystanders.find(cgroup, Company::isFixed).keptOff());
    } catch (IOException e) {
      // Where others cannot be kept off CPUs, nobody has done so.
      return partitioned;
    }
  }

  private AgentOptions options() {
    AgentPaths paths = AgentPaths.of(System.getenv());
    Path stateFolder = state == null ? paths.state() : state;
    return new AgentOptions(
        stateFolder,
        paths.runtimeOf(stateFolder),
        socket == null ? paths.socket() : socket,
        http.equals("off") ? Optional.empty() : Optional.of(HostAndPort.parse(http)),
        cgroup,
        foreign(),
        pretence(),
        passing,
        Optional.of(paths.locks()),
        second,
        Version.number());
  }

  private Pretence pretence() {
    if (source.isGiven()) {
      return Pretence.SIMULATED_MACHINE;
    }
    return dryRun ? Pretence.DRY_RUN : Pretence.NONE;
  }

  private Optional<ForeignRuntime> foreign() {
    if (runtime.equals(EMBEDDED)) {
      if (runtimeSocket != null) {
        throw new InvalidInputException(
            "--runtime-socket: expected --runtime nri or cri with it, found embedded");
      }
      return Optional.empty();
    }
    for (ForeignRuntime.Kind kind : ForeignRuntime.Kind.values()) {
      if (runtime.equals(kind.name().toLowerCase(Locale.ROOT))) {
        return Optional.of(
            new ForeignRuntime(kind, runtimeSocket == null ? kind.usualSocket() : runtimeSocket));
      }
    }
    throw new InvalidInputException(
        "--runtime: expected embedded, nri or cri, found \"" + runtime + "\"");
  }

  private NodeSettings settings() {
    try {
      return configuration.settings();
    } catch (IOException e) {
      throw new InvalidInputException(
          configuration.source() + ": expected a file that can be read, found " + e, e);
    }
  }

  private static Ground ground(LiveMachine machine) {
    return new Ground() {
      @Override
      public dev.berth.topology.Machine machine() {
        return machine.discover();
      }

      @Override
      public String fingerprint() {
        return machine.fingerprint();
      }
    };
  }

  /** A signal ends the JVM, which must not go before the agent has closed its books. */
  private static void end(Agent agent, CountDownLatch closed) {
    agent.end();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
