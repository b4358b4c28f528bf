package dev.berth.relief;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.hints.Reason;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Device;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NodeMemory;
import dev.berth.topology.Synthetic;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReliefTest {
  private static final Machine TWO_NODES = Synthetic.parse("pack:2 node:1 core:8 pu:1");
  private static final Configuration SINGLE =
      Configuration.staticPolicy(CpuSet.of(0))
          .with(new TopologySettings(Policy.SINGLE_NUMA_NODE, Scope.CONTAINER, Map.of()));

  private final List<Pod> residents = new ArrayList<>();

  private Pod admit(Node node, String uid, int cpus) {
    Pod pod = Pod.guaranteed(uid, cpus);
    node.admit(pod);
    residents.add(pod);
    return pod;
  }

  /** Four free on each node, six wanted on one. */
  private Node inPieces() {
    Node node = Node.start(TWO_NODES, SINGLE);
    admit(node, "a", 3);
    admit(node, "b", 4);
    admit(node, "c", 4);
    admit(node, "d", 4);
    node.remove("b");
    residents.removeIf(pod -> pod.uid().equals("b"));
    node.remove("d");
    residents.removeIf(pod -> pod.uid().equals("d"));
    return node;
  }

  @Test
  void movesTheSmallestThatMakesRoom() {
    Node node = inPieces();
    assertThat(Relief.search(node, residents, Pod.guaranteed("big", 6)).lines())
        .containsExactly(
            "fits if 1 pod moves; nobody has to stop, one step after the other:",
            "  move a from CPUs 1-3 to 12-14",
            "  let big in: CPUs 1-6",
            "  or by hand, with the same end: remove a, apply big a");
  }

  @Test
  void leavesAloneWhoMayNotMove() {
    Node node = inPieces();
    List<Pod> onlyC = residents.stream().filter(pod -> pod.uid().equals("c")).toList();
    assertThat(Relief.search(node, onlyC, Pod.guaranteed("big", 6)).lines())
        .containsExactly(
            "fits if 1 pod moves; nobody has to stop, one step after the other:",
            "  move c from CPUs 8-11 to 4-7",
            "  let big in: CPUs 8-13",
            "  or by hand, with the same end: remove c, apply big c");
    assertThat(Relief.search(node, List.of(), Pod.guaranteed("big", 6)).lines())
        .containsExactly("moving others cannot help: there is nobody who could move");
  }

  @Test
  void saysThatThePodFitsWhereItDoes() {
    assertThat(Relief.search(inPieces(), residents, Pod.guaranteed("small", 2)).lines())
        .containsExactly("it fits as things are now");
  }

  @Test
  void countsWhatMovingCannotMake() {
    Configuration anywhere = Configuration.staticPolicy(CpuSet.of(0));
    assertCannotHelp(
        anywhere,
        List.of(3, 4),
        9,
        "it asks for 9 CPUs and 8 CPUs are free on the whole machine: moving others makes no more,"
            + " somebody has to leave");
  }

  private void assertCannotHelp(
      Configuration configuration, List<Integer> there, int asked, String why) {
    Node node = Node.start(TWO_NODES, configuration);
    there.forEach(cpus -> admit(node, "pod-" + residents.size(), cpus));
    assertThat(Relief.search(node, residents, Pod.guaranteed("late", asked)).lines())
        .containsExactly("moving others cannot help: " + why);
  }

  @Test
  void countsHowManyLargeOnesTheNodesHold() {
    assertCannotHelp(
        SINGLE,
        List.of(5, 5),
        5,
        "3 containers of 5 CPUs or more would have to be within one NUMA node each, and the nodes"
            + " have room for 2 in any arrangement");
  }

  private static Pod withMemory(String uid, long mebibytes) {
    Map<String, Quantity> asks =
        Map.of(Resources.CPU, Quantity.of(1), Resources.MEMORY, Quantity.of(mebibytes << 20));
    return Pod.of(
        uid, List.of(new Container("app", Container.Role.APP, Resources.guaranteed(asks))));
  }

  /** Of each node's 4 GiB the immovable has 2 and small ones have 1: 4 GiB are free in all. */
  @Test
  void sortsOutByNodeWhatMemoryTheMovedCouldGiveBack() {
    MachineBuilder builder = Machine.builder("four");
    for (int cpu = 0; cpu < 64; cpu++) {
      builder.cpu(cpu, cpu, 0, cpu / 16, cpu / 16);
    }
    for (int place = 0; place < 4; place++) {
      builder.memory(place, NodeMemory.of((place == 0 ? 5L : 4L) << 30, Map.of()));
    }
    Node node =
        Node.start(
            builder.build(),
            SINGLE.with(
                new MemorySettings(
                    MemorySettings.Policy.STATIC, Map.of(0, Map.of("memory", 1L << 30)))));
    for (int place = 0; place < 4; place++) {
      node.admit(withMemory("fixed-" + place, 2_048));
      for (int i = 0; i < 8; i++) {
        Pod small = withMemory("small-" + place + i, 128);
        node.admit(small);
        residents.add(small);
      }
      node.admit(withMemory("filler-" + place, 1_024));
    }
    for (int place = 0; place < 4; place++) {
      node.remove("filler-" + place);
    }
    assertThat(Relief.search(node, residents, withMemory("large", 3_000)))
        .isEqualTo(new Relief.Impossible(new Proof.Exhausted(32)));
  }

  @Test
  void namesTheBoundOfAPodThatNeverFits() {
    assertThat(Relief.search(inPieces(), residents, Pod.guaranteed("big", 16)).lines())
        .containsExactly(
            "moving others cannot help: it asks for 16 CPUs of its own, and this machine has 15 to"
                + " give when it is empty");
    assertThat(Relief.search(inPieces(), residents, Pod.guaranteed("big", 9)).lines())
        .containsExactly(
            "moving others cannot help: topology policy single-numa-node wants the 9 CPUs of app"
                + " within one NUMA node, and the largest has 8 to give when it is empty");
  }

  @Test
  void tellsWholeCoresFromHalves() {
    Node node =
        Node.start(
            Synthetic.parse("pack:1 core:4 pu:2"),
            Configuration.staticPolicy(CpuSet.of(0)).withOption("full-pcpus-only", "true"));
    assertThat(Relief.search(node, List.of(), Pod.guaranteed("odd", 3)).lines())
        .containsExactly(
            "moving others cannot help: full-pcpus-only gives whole cores of 2 CPUs, and container"
                + " app asks for 3");
  }

  @Test
  void stopsOneWhereTwoWouldHaveToChangePlaces() {
    Node node =
        Node.builder(TWO_NODES, SINGLE)
            .devices(List.of(Device.of("vendor.example/nic", "nic0", 0)))
            .start();
    admit(node, "a", 7);
    admit(node, "b", 7);
    Pod near =
        Pod.of(
            "near",
            List.of(
                new Container(
                    "app",
                    Container.Role.APP,
                    Resources.guaranteed(
                        Map.of(
                            Resources.CPU,
                            Quantity.of(1),
                            Resources.MEMORY,
                            Quantity.of(1),
                            "vendor.example/nic",
                            Quantity.of(1))))));
    Relief relief = Relief.search(node, residents, near);
    assertThat(relief.lines())
        .containsExactly(
            "moving others cannot help: every choice among the 2 pods that could move was tried in"
                + " every order, or ruled out");
    node.remove("b");
    admit(node, "c", 6);
    residents.removeIf(pod -> pod.uid().equals("b"));
    assertThat(Relief.search(node, residents, near).lines())
        .containsExactly(
            "fits if 2 pods move; not all can while they run:",
            "  stop c (CPUs 8-13)",
            "  move a from CPUs 1-7 to 8-14",
            "  let near in: CPUs 1",
            "  start c again: CPUs 2-7",
            "  or by hand, with the same end: remove a c, apply near a c");
  }

  /**
   * Whoever asks for 7 CPUs on one node and comes first takes node 0, where the network card is
   * that a needs. So a has to be back before.
   */
  @Test
  void letsOneReturnBeforeTheRefusedPodWhereThatHelps() {
    Node node =
        Node.builder(
                Synthetic.parse("pack:2 node:1 l3:2 core:4 pu:1"),
                SINGLE.withOption("strict-align-cpus-by-uncorecache", "true"))
            .devices(List.of(Device.of("vendor.example/nic", "nic0", 0)))
            .start();
    node.admit(Pod.guaranteed("filler", 3));
    Pod near =
        Pod.of(
            "a",
            List.of(
                new Container(
                    "app",
                    Container.Role.APP,
                    Resources.guaranteed(
                        Map.of(
                            Resources.CPU,
                            Quantity.of(3),
                            Resources.MEMORY,
                            Quantity.of(1),
                            "vendor.example/nic",
                            Quantity.of(1))))));
    node.admit(near);
    residents.add(near);
    admit(node, "b", 4);
    node.remove("filler");
    assertThat(Relief.search(node, residents, Pod.guaranteed("late", 7)).lines())
        .containsExactly(
            "fits if 2 pods move; nobody has to stop, one step after the other:",
            "  move a from CPUs 4-6 to 1-3",
            "  move b from CPUs 8-11 to 4-7",
            "  let late in: CPUs 8-14",
            "  or by hand, with the same end: remove a b, apply a late b");
  }

  @Test
  void admitsThatItDidNotSearchFurther() {
    Node node = Node.start(Synthetic.parse("pack:4 node:1 core:8 pu:1"), SINGLE);
    for (int i = 0; i < 31; i++) {
      admit(node, "pod-" + i, 1);
    }
    for (int i = 3; i < 31; i += 4) {
      node.remove("pod-" + i);
    }
    Relief relief = Relief.search(node, residents, Pod.guaranteed("big", 7), new Effort(1, 1_000));
    assertThat(relief).isInstanceOf(Relief.Unknown.class);
    assertThat(relief.lines().getFirst()).contains("was not searched");
    assertThat(Relief.search(node, residents, Pod.guaranteed("big", 7)))
        .isInstanceOfSatisfying(
            Relief.Plan.class, plan -> assertThat(plan.moves().size()).isEqualTo(5));
  }

  private static List<String> misses(Node node, Pod pod, Reason reason) {
    assertThat(node.copy().admit(pod))
        .isInstanceOfSatisfying(
            Decision.Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
    return NearMiss.of(node, pod, reason).stream().map(NearMiss::text).toList();
  }

  @Test
  void tellsWhatEachNodeLacksAndWhoHasIt() {
    assertThat(misses(inPieces(), Pod.guaranteed("big", 6), Reason.TOPOLOGY_AFFINITY))
        .containsExactly(
            "NUMA node 0 has 4 of the 6 CPUs free that app asks for; held there: a 3; reserved 1",
            "NUMA node 1 has 4 of the 6 CPUs free that app asks for; held there: c 4");
  }

  @Test
  void tellsWhatEachCacheLacksWhereOneHasToHaveAll() {
    Node node =
        Node.start(
            Synthetic.parse("pack:1 node:1 l3:4 core:8 pu:1"),
            Configuration.staticPolicy(CpuSet.range(0, 1))
                .withOption("strict-align-cpus-by-uncorecache", "true"));
    for (String uid : List.of("a", "b", "c", "d")) {
      admit(node, uid, 5);
    }
    assertThat(misses(node, Pod.guaranteed("late", 4), Reason.CACHE_ALIGNMENT))
        .containsExactly(
            "L3 cache 1 has 3 of the 4 CPUs free that app asks for; held there: b 5",
            "L3 cache 2 has 3 of the 4 CPUs free that app asks for; held there: c 5",
            "L3 cache 3 has 3 of the 4 CPUs free that app asks for; held there: d 5",
            "L3 cache 0 has 1 of the 4 CPUs free that app asks for; held there: a 5; reserved 2");
  }

  /** Of core 0 one CPU is reserved, and where only whole cores are given it keeps both. */
  @Test
  void countsTheRestOfAReservedCoreAsKeptBackFromACache() {
    Node node =
        Node.start(
            Synthetic.parse("pack:1 node:1 l3:2 core:2 pu:2"),
            Configuration.staticPolicy(CpuSet.of(0))
                .withOption("full-pcpus-only", "true")
                .withOption("strict-align-cpus-by-uncorecache", "true"));
    admit(node, "a", 2);
    admit(node, "b", 2);
    node.remove("a");
    assertThat(misses(node, Pod.guaranteed("late", 4), Reason.CACHE_ALIGNMENT))
        .containsExactly(
            "L3 cache 0 has 2 of the 4 CPUs free that app asks for, and no more to give (reserved"
                + " 2)",
            "L3 cache 1 has 2 of the 4 CPUs free that app asks for; held there: b 2");
  }

  /** Of cores 0 and 1 one half each is reserved, and nobody gets the other. */
  @Test
  void tellsHowManyCoresAreWholeAndHowManyAreNot() {
    Node node =
        Node.start(
            Synthetic.parse("pack:1 node:1 core:8 pu:2"),
            Configuration.staticPolicy(CpuSet.of(0, 2)).withOption("full-pcpus-only", "true"));
    admit(node, "a", 6);
    assertThat(misses(node, Pod.guaranteed("big", 8), Reason.SMT_ALIGNMENT))
        .containsExactly(
            "3 whole cores with 6 CPUs are free for the 8 CPUs that app asks for; 2 cores have only"
                + " a part of their CPUs free");
    admit(node, "b", 6);
    assertThat(misses(node, Pod.guaranteed("small", 2), Reason.SMT_ALIGNMENT))
        .containsExactly(
            "no whole core is free for the 2 CPUs that app asks for; 2 cores have only a part of"
                + " their CPUs free");
  }

  @Test
  void tellsOfMemoryAndDevicesThatANodeLacks() {
    Machine machine =
        Machine.builder("two")
            .cpu(0, 0, 0, 0, 0)
            .cpu(1, 1, 0, 0, 0)
            .cpu(2, 2, 1, 1, 1)
            .cpu(3, 3, 1, 1, 1)
            .memory(0, NodeMemory.of(4L << 30, Map.of()))
            .memory(1, NodeMemory.of(2L << 30, Map.of()))
            .build();
    Node node =
        Node.builder(
                machine,
                SINGLE.with(
                    new MemorySettings(
                        MemorySettings.Policy.STATIC, Map.of(0, Map.of("memory", 1L << 30)))))
            .devices(List.of(Device.of("vendor.example/nic", "nic0", 1)))
            .start();
    Pod pod =
        Pod.of(
            "big",
            List.of(
                new Container(
                    "app",
                    Container.Role.APP,
                    Resources.guaranteed(
                        Map.of(
                            Resources.CPU,
                            Quantity.of(1),
                            Resources.MEMORY,
                            Quantity.of(3L << 30),
                            "vendor.example/nic",
                            Quantity.of(1))))));
    assertThat(misses(node, pod, Reason.TOPOLOGY_AFFINITY))
        .containsExactly(
            "NUMA node 1 has 2 GiB of memory of the 3 GiB of memory free that app asks for, and no"
                + " more to give",
            "NUMA node 0 has none of the 1 vendor.example/nic free that app asks for, and no"
                + " more to give");
  }
}
