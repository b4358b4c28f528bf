package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Partition;
import dev.berth.cgroup.Settings;
import dev.berth.cpu.NodeSet;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import dev.berth.workload.CpuWish;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class SeatingTest {
  private final List<Resident> residents = new ArrayList<>();

  /** Two sockets of two cores and two threads, each with a node: node 0 has CPUs 0, 2, 4, 6. */
  private static Node node(String settings) {
    return Node.start(
        Machines.parse("pack:2 node:1 l3:1 core:2 pu:2"),
        NodeSettings.read("berth.yaml", settings, List.of()).configuration());
  }

  private Resident admit(Node node, String name, String resources) {
    String yaml =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec: {containers: [{name: c, command: [x], resources: %s}]}
        """
            .formatted(name, resources);
    RunnablePod pod = RunnablePod.read("p.yaml", yaml).getFirst();
    assertThat(node.admit(pod.manifest().pod())).isInstanceOf(Decision.Granted.class);
    Tenant resident = new Tenant(pod, Origin.APPLY, Optional.empty());
    residents.add(resident);
    return resident;
  }

  @Test
  void onlyOwnCpusAreWhatTheirOwnersWish() {
    Node node = node("");
    admit(node, "plain", "{limits: {cpu: 2, memory: 1Mi}}");
    admit(
        node, "x, annotations: {cpus.berth.dev/awake: 'true'}", "{limits: {cpu: 1, memory: 1Mi}}");
    admit(node, "shares, annotations: {cpus.berth.dev/awake: 'true'}", "{}");
    Seating seating = new Seating(node, false);
    assertThat(seating.wished(CpuWish.AWAKE, residents))
        .isEqualTo(node.cpusOf("default_x", "c").orElseThrow());
    assertThat(seating.wished(CpuWish.UNDISTURBED, residents).isEmpty()).isTrue();
    residents.get(1).refuse("over");
    assertThat(seating.wished(CpuWish.AWAKE, residents).isEmpty()).isTrue();
  }

  private static Settings of(SortedMap<GroupPath, Settings> wanted, String... path) {
    return Optional.ofNullable(wanted.get(GroupPath.of(path))).orElseThrow();
  }

  private static String cpus(SortedMap<GroupPath, Settings> wanted, String... path) {
    Settings settings = wanted.get(GroupPath.of(path));
    return settings == null ? "absent" : settings.cpus().map(Object::toString).orElse("unsaid");
  }

  @Test
  void everyGroupHasItsCpus() {
    Node node = node("");
    admit(node, "alone", "{limits: {cpu: 2, memory: 1Mi}}");
    admit(node, "shares", "{}");
    SortedMap<GroupPath, Settings> wanted = new Seating(node, false).wanted(residents, List.of());
    assertThat(cpus(wanted)).isEqualTo("0-7");
    assertThat(cpus(wanted, "agent")).isEqualTo("0");
    assertThat(cpus(wanted, "pods")).isEqualTo("0-7");
    assertThat(cpus(wanted, "pods", "default_alone")).isEqualTo("0-7");
    String own = node.cpusOf("default_alone", "c").orElseThrow().toString();
    assertThat(cpus(wanted, "pods", "default_alone", "c")).isEqualTo(own);
    assertThat(cpus(wanted, "pods", "default_shares", "c")).isEqualTo(node.shared().toString());
    assertThat(of(wanted, "pods", "default_alone", "c").mems())
        .hasValueSatisfying(mems -> assertThat(mems).hasToString("0-1"));
  }

  @Test
  void underPolicyNoneNothingIsSaidAboutCpus() {
    Node node = node("cpuManagerPolicy: none");
    admit(node, "free", "{limits: {cpu: 2, memory: 1Mi}}");
    SortedMap<GroupPath, Settings> wanted = new Seating(node, false).wanted(residents, List.of());
    assertThat(wanted.values())
        .allMatch(settings -> settings.cpus().isEmpty() && settings.mems().isEmpty());
    assertThat(wanted).containsKey(GroupPath.of("pods", "default_free", "c"));
  }

  @Test
  void isolatedContainersStandRightBelowOurOwnGroup() {
    Node node =
        node("reservedSystemCPUs: 0-1\ncpuManagerPolicyOptions: {strict-cpu-reservation: 'true'}");
    admit(node, "alone", "{limits: {cpu: 2, memory: 1Mi}}");
    admit(node, "shares", "{}");
    SortedMap<GroupPath, Settings> wanted = new Seating(node, true).wanted(residents, List.of());
    assertThat(cpus(wanted)).isEqualTo("2-7");
    assertThat(of(wanted).partition()).contains(Partition.ROOT);
    assertThat(cpus(wanted, "agent")).as("the agent stays outside").isEqualTo("absent");
    assertThat(of(wanted, "default_alone~c").partition()).contains(Partition.ISOLATED);
    assertThat(cpus(wanted, "pods", "default_alone", "c")).isEqualTo("absent");
    assertThat(of(wanted, "pods", "default_shares", "c").partition()).isEmpty();
    assertThat(Seating.isApart(GroupPath.of("default_alone~c"), "default_alone")).isTrue();
    assertThat(Seating.isApart(GroupPath.of("default_alone~c"), "default_al")).isFalse();
  }

  @Test
  void anEmptyPoolIsNeverAnEmptySet() {
    Node node =
        node("reservedSystemCPUs: 0-1\ncpuManagerPolicyOptions: {strict-cpu-reservation: 'true'}");
    admit(node, "shares", "{}");
    admit(node, "all", "{limits: {cpu: 6, memory: 1Mi}}");
    assertThat(node.shared().isEmpty()).isTrue();
    assertThat(
            cpus(
                new Seating(node, false).wanted(residents, List.of()),
                "pods",
                "default_shares",
                "c"))
        .isEqualTo("0-1");
  }

  @Test
  void memoryComesFromWhereItWasAssigned() {
    Node node =
        node(
            "memoryManagerPolicy: Static\nreservedMemory: [{numaNode: 0, limits: {memory: 1Mi}}]\n"
                + "topologyManagerPolicy: single-numa-node");
    Resident resident = admit(node, "near", "{limits: {cpu: 2, memory: 1Mi}}");
    Seating seating = new Seating(node, false);
    NodeSet mems = seating.mems(resident.uid(), "c");
    assertThat(mems.size()).isEqualTo(1);
    int home = mems.first();
    assertThat(
            seating
                .seat(resident.request(), "c")
                .cpus()
                .isSubsetOf(node.machine().nodes().get(home).cpus()))
        .isTrue();
  }
}
