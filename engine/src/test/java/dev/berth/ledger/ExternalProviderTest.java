package dev.berth.ledger;

import static dev.berth.ledger.DevicePods.TWO_NODES;
import static dev.berth.ledger.DevicePods.app;
import static dev.berth.ledger.DevicePods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Draft;
import dev.berth.hints.Hint;
import dev.berth.hints.HintProvider;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Reason;
import dev.berth.hints.Refusal;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import example.fpga.FpgaRegions;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Providers that are not ours: found, asked, and kept from breaking anything. */
class ExternalProviderTest {
  private static final String REGION = "example.com/fpga-region";

  private static final Configuration RESTRICTED =
      DevicePods.configuration(Policy.RESTRICTED, Scope.CONTAINER);

  private static Node with(Configuration configuration, List<HintProvider> others) {
    return Node.builder(TWO_NODES, configuration).providers(others).start();
  }

  @Test
  void theDocumentsExampleIsTheOneThatIsTested() throws IOException {
    String source = Files.readString(Path.of("src/test/java/example/fpga/FpgaRegions.java"));
    String shown =
        source
            .substring(source.indexOf("/** Regions of FPGA cards"))
            .lines()
            .map(line -> line.isEmpty() ? "" : "    " + line)
            .collect(Collectors.joining("\n"));
    String service =
        Files.readString(
            Path.of("src/test/resources/META-INF/services", HintProviderFactory.class.getName()));
    assertThat(Files.readString(Path.of("../docs/providers.md")))
        .contains(shown)
        .contains("    " + service);
  }

  @Test
  void anInstalledProviderIsFoundAndAlignsWithCpus() {
    List<HintProvider> found = HintProviders.load(TWO_NODES, RESTRICTED);
    assertThat(found).singleElement().isInstanceOf(FpgaRegions.class);
    Node node = with(RESTRICTED, found);
    admit(node, pod("hog", app("x", "cpu=6", "memory=1Gi")));
    Pod pod = pod("a", app("x", "cpu=4", "memory=1Gi", REGION + "=3"));
    admit(node, pod);
    assertThat(node.placesOf("a").get("x")).isEqualTo(new Hint(Affinity.to(NodeSet.of(1)), true));
    assertThat(node.cpusOf("a", "x").orElseThrow().isSubsetOf(CpuSet.range(8, 15))).isTrue();
    admit(node, pod);
    // Two regions are left on node 1, four on node 0, whose CPUs are gone.
    Decision.Refused refused =
        refused(node, pod("b", app("x", "cpu=4", "memory=1Gi", REGION + "=2")));
    assertThat(refused.reason()).isEqualTo(Reason.TOPOLOGY_AFFINITY);
    node.remove("a");
    admit(node, pod("b", app("x", "cpu=4", "memory=1Gi", REGION + "=2")));
  }

  @Test
  void whereNobodyAsksNoneIsUsed() {
    Node node = Node.start(TWO_NODES, RESTRICTED);
    admit(node, pod("a", app("x", REGION + "=100")));
  }

  @Test
  void itRefusesInItsOwnWords() {
    Configuration none = DevicePods.configuration(Policy.NONE, Scope.CONTAINER);
    Node node = with(none, HintProviders.load(TWO_NODES, none));
    Decision.Refused refused = refused(node, pod("a", app("x", REGION + "=9")));
    assertThat(refused.reason()).isEqualTo(Reason.UNEXPECTED);
    assertThat(refused.message())
        .isEqualTo("Allocate failed due to FPGA regions missing: 1, which is unexpected");
  }

  @Test
  void itsReasonIsAlwaysTheSame() {
    Faulty faulty = new Faulty(At.NEVER);
    faulty.refusal = Optional.of(new Refusal(Reason.SMT_ALIGNMENT, "odd"));
    Decision.Refused refused = refused(with(RESTRICTED, List.of(faulty)), pod("a", app("x")));
    assertThat(refused.reason()).isEqualTo(Reason.UNEXPECTED);
    assertThat(refused.message()).isEqualTo("Allocate failed due to odd, which is unexpected");
  }

  @ParameterizedTest
  @EnumSource(At.class)
  void oneThatThrowsIsNamedAndNothingElseChanges(At at) {
    Faulty faulty = new Faulty(At.NEVER);
    Node node =
        Node.builder(TWO_NODES, RESTRICTED)
            .devices(DevicePods.gpus(2, 0))
            .providers(HintProviders.load(TWO_NODES, RESTRICTED))
            .providers(List.of(faulty))
            .start();
    Pod before = pod("in", app("x", "cpu=2", "memory=1Gi", DevicePods.GPU + "=1", REGION + "=1"));
    admit(node, before);
    Assignments cpus = node.assignments();
    DeviceAssignments devices = node.deviceAssignments();
    faulty.at = at;
    // Who misses something elsewhere is asked no further how it stands.
    Pod pod =
        at == At.STANDING
            ? pod("new", app("x"))
            : pod("new", app("x", "cpu=2", "memory=1Gi", DevicePods.GPU + "=1", REGION + "=3"));
    admit(node, before);
    if (at == At.NEVER || at == At.REMOVE) {
      admit(node, pod);
      node.remove("new");
    } else {
      Decision.Refused refused = refused(node, pod);
      assertThat(refused.reason()).isEqualTo(Reason.UNEXPECTED);
      assertThat(refused.message())
          .startsWith("Allocate failed due to provider faulty failed to ")
          .contains(": IllegalStateException: broken?twice")
          .doesNotContain("\n");
      assertThat(refused.why().toString()).contains(refused.message());
    }
    assertThat(node.assignments()).isEqualTo(cpus);
    assertThat(node.deviceAssignments()).isEqualTo(devices);
    assertThat(
            node.notes().stream().anyMatch(note -> note.startsWith("provider faulty failed to ")))
        .isEqualTo(at != At.NEVER);
    faulty.at = At.NEVER;
    admit(node, pod); // its three FPGA regions were given back
  }

  /** Each node has four regions, and 7 CPUs besides the reserved one on node 0. */
  @Test
  void aCopyHasWhatLastsAndIsOnItsOwn() {
    Node node = with(RESTRICTED, HintProviders.load(TWO_NODES, RESTRICTED));
    admit(node, pod("a", app("x", "cpu=2", "memory=1Gi", REGION + "=3")));
    assertThat(node.hasExternalProviders()).isFalse();
    Node copy = node.copy();
    assertThat(Holding.of(copy, "a").others()).isEqualTo(Map.of("FpgaRegions", "0:3"));
    admit(copy, pod("b", app("x", "cpu=2", "memory=1Gi", REGION + "=4")));
    assertThat(copy.placesOf("b").get("x")).isEqualTo(new Hint(Affinity.to(NodeSet.of(1)), true));
    refused(copy, pod("c", app("x", REGION + "=2")));
    admit(node, pod("c", app("x", REGION + "=2")));
    assertThat(Holding.all(node)).containsOnlyKeys("a", "c");
  }

  @Test
  void withoutOneThatLastsACopyMayDecideOtherwise() {
    Node node = with(RESTRICTED, List.of(new Faulty(At.NEVER)));
    assertThat(node.hasExternalProviders()).isTrue();
    assertThat(node.copy().hasExternalProviders()).isTrue();
  }

  /** Nothing of ours is scarce, so only the provider can say what would help. */
  @Test
  void whatWouldHelpIsTriedWithTheProvidersThatLast() {
    Node node = with(RESTRICTED, HintProviders.load(TWO_NODES, RESTRICTED));
    admit(node, pod("a", app("x", REGION + "=4")));
    admit(node, pod("b", app("x", REGION + "=2")));
    Decision.Refused refused = refused(node, pod("late", app("x", REGION + "=3")));
    node.remove("a");
    assertThat(refused.why().lines()).contains("  fits if pod a or b leaves");
    assertThat(refused.why().lines()).noneMatch(line -> line.contains("not even"));
  }

  @Test
  void whatPodsHaveOfItIsKeptByAMigration() {
    Node node = with(RESTRICTED, HintProviders.load(TWO_NODES, RESTRICTED));
    Pod pod = pod("a", app("x", "cpu=2", "memory=1Gi", REGION + "=3"));
    admit(node, pod);
    Before before = Before.of(node, List.of(pod));
    Migration same =
        Migration.plan(
            Node.builder(TWO_NODES, RESTRICTED)
                .providers(HintProviders.load(TWO_NODES, RESTRICTED)),
            before);
    assertThat(same.outcomes().get("a")).isInstanceOf(Outcome.Kept.class);
    refused(same.node(), pod("b", app("x", REGION + "=6")));
    admit(same.node(), pod("b", app("x", REGION + "=5")));
    Migration gone = Migration.plan(Node.builder(TWO_NODES, RESTRICTED), before);
    assertThat(gone.outcomes().get("a"))
        .isInstanceOfSatisfying(
            Outcome.Moved.class,
            moved ->
                assertThat(moved.why()).isEqualTo("provider FpgaRegions is not there any more"));
  }

  @Test
  void oneThatDoesNotLastIsNotStartedWhereHoldingsAreToLast() {
    HintProviderFactory passing = (machine, configuration) -> new Faulty(At.NEVER);
    assertThatThrownBy(() -> HintProviders.startLasting(List.of(passing), TWO_NODES, RESTRICTED))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("expected one that can be copied and written down");
    HintProviderFactory regions = new FpgaRegions.Factory();
    assertThatThrownBy(
            () -> HintProviders.startLasting(List.of(regions, regions), TWO_NODES, RESTRICTED))
        .hasMessageContaining("expected a name of its own, found another's, \"FpgaRegions\"");
  }

  @Test
  void anOfferAboutOtherNodesIsAFault() {
    Faulty faulty = new Faulty(At.NEVER);
    Nodes others = Nodes.of(DevicePods.FOUR_NODES);
    Hint somewhere = new Hint(Affinity.to(NodeSet.of(3)), true);
    faulty.offers = Map.of("thing", Offer.listed(others, List.of(somewhere)));
    Node node = with(RESTRICTED, List.of(faulty));
    assertThat(refused(node, pod("a", app("x"))).message())
        .contains("expected an offer of thing about NUMA nodes 0-1, found one about others");
  }

  @Test
  void oneThatCannotBeLoadedOrStartedIsNamed(@TempDir Path folder) throws IOException {
    assertThatThrownBy(() -> load(folder, "no.such.Factory"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no.such.Factory")
        .hasMessageContaining("expected all to load");
    assertThatThrownBy(() -> load(folder, Unwilling.class.getName()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "hint provider dev.berth.ledger.ExternalProviderTest$Unwilling: expected it to start,"
                + " found IllegalStateException: no card");
  }

  /** A factory that does not start. */
  public static final class Unwilling implements HintProviderFactory {
    @Override
    public HintProvider start(Machine machine, Configuration configuration) {
      throw new IllegalStateException("no card");
    }
  }

  private static void load(Path folder, String factory) throws IOException {
    Path service = folder.resolve("service");
    Files.writeString(service, factory + "\n");
    ClassLoader parent = ExternalProviderTest.class.getClassLoader();
    ClassLoader loader =
        new ClassLoader(parent) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals("META-INF/services/" + HintProviderFactory.class.getName())
                ? Collections.enumeration(List.of(service.toUri().toURL()))
                : super.getResources(name);
          }
        };
    HintProviders.load(loader, TWO_NODES, RESTRICTED);
  }

  private static void admit(Node node, Pod pod) {
    Decision decision = node.admit(pod);
    assertThat(decision).as(decision.why().toString()).isInstanceOf(Decision.Granted.class);
  }

  private static Decision.Refused refused(Node node, Pod pod) {
    Decision decision = node.admit(pod);
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    return (Decision.Refused) decision;
  }

  enum At {
    NEVER,
    BEGIN,
    STANDING,
    OFFERS,
    ALLOCATE,
    COMMIT,
    REMOVE
  }

  /** Wants nothing, and throws where it is told to. */
  private static final class Faulty implements HintProvider, Draft {
    private At at;
    private Optional<Refusal> refusal = Optional.empty();
    private Map<String, Offer> offers = Map.of();

    Faulty(At at) {
      this.at = at;
    }

    private void pass(At now) {
      if (at == now) {
        throw new IllegalStateException("broken\ntwice");
      }
    }

    @Override
    public String name() {
      return "faulty";
    }

    @Override
    public Draft begin(Pod pod, Trace trace) {
      pass(At.BEGIN);
      return this;
    }

    @Override
    public void remove(String uid) {
      pass(At.REMOVE);
    }

    @Override
    public Standing standing() {
      pass(At.STANDING);
      return Standing.NOTHING_OWED;
    }

    @Override
    public Map<String, Offer> offers(Container container) {
      pass(At.OFFERS);
      return offers;
    }

    @Override
    public Map<String, Offer> offers() {
      return offers;
    }

    @Override
    public Optional<Refusal> allocate(Container container, Hint place) {
      pass(At.ALLOCATE);
      return refusal;
    }

    @Override
    public Optional<Refusal> allocateBudget(Hint place) {
      return refusal;
    }

    @Override
    public Draft again(Trace trace) {
      return this;
    }

    @Override
    public void commit() {
      pass(At.COMMIT);
    }
  }
}
