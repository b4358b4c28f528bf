package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.ModelCri.Held;
import dev.berth.cpu.CpuSet;
import dev.berth.guest.GuestRequest;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Holding;
import dev.berth.topology.Machines;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An agent beside a runtime that asks nobody, with events and without, on a machine of 16 CPUs in 2
 * NUMA nodes.
 */
@Tag("slow")
@ParameterizedClass
@ValueSource(booleans = {true, false})
class CriGuestsTest {
  private static final int STEPS = 100;
  private static final List<String> CLASSES = List.of("guaranteed", "burstable", "besteffort");

  @Parameter private boolean tells;
  @TempDir private Path folder;
  private ModelCri runtime;
  private Agent agent;

  @BeforeEach
  void begin() throws IOException {
    runtime = new ModelCri(folder.resolve("cri.sock"), tells);
    runtime.serve();
    startAgent();
  }

  private void startAgent() throws IOException {
    AgentOptions options =
        new AgentOptions(
            folder.resolve("state"),
            folder.resolve("run"),
            folder.resolve("s"),
            Optional.empty(),
            "berth",
            Optional.of(new ForeignRuntime(ForeignRuntime.Kind.CRI, folder.resolve("cri.sock"))),
            Pretence.NONE,
            false,
            Optional.empty(),
            false,
            "test");
    NodeSettings settings = NodeSettings.DEFAULTS;
    agent =
        Agent.start(
            options,
            Ground.fixed(Machines.parse("pack:2 node:1 l3:2 core:2 pu:2")),
            () -> settings,
            new AgentLog(
                new PrintStream(new FileOutputStream(folder.resolve("log").toFile(), true)),
                Clock.systemUTC(),
                settings.own().logFormat()));
  }

  @AfterEach
  void stop() throws IOException {
    agent.close();
    runtime.close();
  }

  private Guests guests() {
    return (Guests) agent.household();
  }

  /** Has the agent look until everybody is where it should be. */
  private void check(String when) {
    StringBuilder last = new StringBuilder();
    try {
      RealAgent.await(
          when,
          () -> {
            String wrong =
                agent.call(() -> {
                  guests().look();
                  return wrong();
                });
            last.setLength(0);
            last.append(wrong);
            return wrong.isEmpty();
          });
    } catch (AssertionError e) {
      throw new AssertionError(when + ": " + last, e);
    }
  }

  /** The first thing that is not as it should be, or nothing. On the loop. */
  private String wrong() {
    if (guests().unready().isPresent() || !guests().owed().isEmpty()) {
      return "unready " + guests().unready() + ", owed " + guests().owed();
    }
    if (!Displaced.thoughTheyFit(agent).isEmpty()) {
      return Displaced.thoughTheyFit(agent) + " displaced though there is room";
    }
    CpuSet shared = agent.node().shared();
    CpuSet taken = shared;
    for (Held held : runtime.all()) {
      Optional<Guest> guest = guests().residents().get("uid-" + held.pod() + "/" + held.name());
      if (!held.isThere()) {
        continue;
      }
      if (guest.isEmpty() || !guest.get().id().equals(held.id())) {
        return held + " is not known";
      }
      CpuSet cpus = CpuSet.parse(held.resources().getCpusetCpus());
      boolean owner = held.resources().getCpuQuota() == -1;
      boolean asks = runtime.qos(held.pod()).equals("guaranteed");
      if (owner ? taken.intersects(cpus) || cpus.size() != held.cpus() : !cpus.equals(shared)) {
        return held + " with " + taken + " taken, shared " + shared;
      }
      if (asks == (owner == guest.get().displaced().isPresent())) {
        return held + " and " + guest.get().displaced();
      }
      taken = owner ? taken.union(cpus) : taken;
    }
    return guests().residents().all().stream()
        .filter(guest -> runtime.all().stream().noneMatch(held -> held.id().equals(guest.id())))
        .map(guest -> guest.id() + " is gone and known")
        .findFirst()
        .orElse("");
  }

  @Test
  void whoIsNotConfinedYetComesFirstAndOwnersWhoGainComeLast() throws Exception {
    RealAgent.await("the agent", () -> agent.unready().isEmpty());
    String web = runtime.create("web", "besteffort", "app", 0);
    check("web");
    assertThat(runtime.held(web).resources().getCpusetCpus()).isEqualTo("0-15");
    runtime.updated();
    String db = runtime.create("db", "guaranteed", "app", 12);
    check("db");
    assertThat(runtime.updated()).containsExactly(db, web);
    String late = runtime.create("late", "guaranteed", "app", 8);
    check("late");
    assertThat(runtime.held(late).resources().getCpuQuota()).isEqualTo(800_000);
    runtime.updated();
    runtime.removePod("db");
    check("room");
    assertThat(runtime.updated()).endsWith(late);
    assertThat(runtime.held(late).resources().getCpuQuota()).isEqualTo(-1);
  }

  @Test
  void whatEndedInAStoppedPodGivesItsCpusBack() throws Exception {
    String first = runtime.create("job", "guaranteed", "app", 4);
    check("first");
    runtime.stop(first);
    check("stopped");
    assertThat(agent.call(() -> Holding.all(agent.node()).keySet())).hasSize(1);
    runtime.stopPod("job");
    RealAgent.await(
        "its CPUs to be free",
        () ->
            agent.call(() -> {
              guests().look();
              return Holding.all(agent.node()).isEmpty();
            }));
  }

  @Test
  void whatNobodyUnderstandsKeepsOffAnOwnersCpus() throws Exception {
    runtime.create("db", "guaranteed", "app", 4);
    runtime.annotate("odd", GuestRequest.ANNOTATION + "app", "nonsense");
    runtime.create("odd", "guaranteed", "app", 4);
    check("with CPUs of its own");
    assertThat(agent.events().after(0))
        .anyMatch(event -> event.kind().equals("warning") && event.message().contains("nonsense"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneThatHasFailedDoesNotMakeWayForItsSiblings(boolean away) throws Exception {
    String crashed = runtime.create("db", "guaranteed", "app", 8);
    check("app");
    if (away) {
      agent.close();
      runtime.stop(crashed, 137);
      startAgent();
      check("crashed while the agent was away");
    } else {
      runtime.stop(crashed, 137);
      check("crashed");
      RealAgent.await(
          "its end to be known",
          () ->
              agent.call(() -> {
                guests().look();
                return guests().residents().get("uid-db/app").orElseThrow().placed().isEmpty();
              }));
    }
    CpuSet cpus = agent.call(() -> agent.node().cpusOf("uid-db/app", "app").orElseThrow());
    runtime.create("db", "guaranteed", "sidecar", 4);
    check("sidecar");
    assertThat(agent.call(() -> agent.node().cpusOf("uid-db/app", "app"))).contains(cpus);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nothingIsGivenTwiceWhateverHappens(long seed) throws Exception {
    Random random = new Random(seed);
    System.out.println("seed " + seed);
    for (int step = 0; step < STEPS; step++) {
      act(random, step);
      if (random.nextInt(3) > 0) {
        check("seed " + seed + ", step " + step);
      }
    }
    check("seed " + seed + ", end");
    for (Held held : runtime.all()) {
      runtime.remove(held.id());
    }
    RealAgent.await(
        "everything to be free",
        () ->
            agent.call(() -> {
              guests().look();
              return Holding.all(agent.node()).isEmpty();
            }));
  }

  private void act(Random random, int step) throws IOException {
    List<Held> all = runtime.all();
    int cpus = 1 + random.nextInt(5);
    Optional<Held> any =
        all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> runtime.create("pod" + step, CLASSES.get(random.nextInt(3)), "app", cpus);
      case 4 ->
          any.filter(held -> runtime.isReady(held.pod()))
              .ifPresent(
                  held -> runtime.create(held.pod(), runtime.qos(held.pod()), "more" + step, cpus));
      case 5 ->
          // Another attempt at the same container, as after a crash.
          any.filter(held -> !held.isThere() && runtime.isReady(held.pod()))
              .filter(held -> all.stream().noneMatch(other -> isLater(other, held)))
              .ifPresent(held ->
                  runtime.create(held.pod(), runtime.qos(held.pod()), held.name(), held.cpus()));
      case 6 -> any.filter(Held::isThere).ifPresent(held -> runtime.start(held.id()));
      case 7 -> any.ifPresent(held -> runtime.stop(held.id()));
      case 8 -> any.filter(held -> !held.isThere()).ifPresent(held -> runtime.remove(held.id()));
      case 9 -> any.ifPresent(held -> runtime.removePod(held.pod()));
      case 10 -> {
        runtime.losing(random.nextBoolean());
        any.ifPresent(held -> runtime.stopPod(held.pod()));
      }
      default -> restart(random, step, cpus);
    }
  }

  private static boolean isLater(Held other, Held held) {
    return other.pod().equals(held.pod()) && other.name().equals(held.name()) && other.isThere();
  }

  private void restart(Random random, int step, int cpus) throws IOException {
    if (random.nextBoolean()) {
      runtime.close();
      runtime.create("away" + step, "guaranteed", "app", cpus);
      runtime.serve();
    } else {
      agent.close();
      runtime.create("away" + step, "guaranteed", "app", cpus);
      startAgent();
    }
  }
}
