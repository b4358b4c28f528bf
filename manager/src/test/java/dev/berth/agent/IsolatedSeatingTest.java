package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Partition;
import dev.berth.cgroup.Settings;
import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class IsolatedSeatingTest {
  private final List<Resident> residents = new ArrayList<>();
  private final Node node =
      Node.start(
          Machines.parse("pack:1 node:1 core:8 pu:1"),
          NodeSettings.read(
                  "",
                  """
                  reservedSystemCPUs: "0"
                  cpuManagerPolicyOptions: {strict-cpu-reservation: "true"}
                  """,
                  List.of())
              .configuration());

  private Resident admit(String name, String containers) {
    RunnablePod pod =
        RunnablePod.read(
                name,
                "{apiVersion: v1, kind: Pod, metadata: {name: "
                    + name
                    + "}, spec: {"
                    + containers
                    + "}}")
            .getFirst();
    assertThat(node.admit(pod.manifest().pod())).isInstanceOf(Decision.Granted.class);
    Tenant resident = new Tenant(pod, Origin.APPLY, Optional.empty());
    residents.add(resident);
    return resident;
  }

  private static String container(String name, int cpus) {
    return "[{name: "
        + name
        + ", command: [sleep, '9'], resources: {limits: {cpu: '"
        + cpus
        + "', memory: 1Mi}}}]";
  }

  private SortedMap<GroupPath, Settings> wanted() {
    return new Seating(node, true).wanted(residents, List.of());
  }

  private Settings wantedOf(GroupPath group) {
    return wanted().getOrDefault(group, Settings.NONE);
  }

  @Test
  void noOtherGroupNamesTheCpusOfAnIsolatedOne() {
    admit("first", "containers: " + container("app", 2));
    admit("second", "containers: " + container("app", 3));
    admit("shared", "containers: [{name: app, command: [sleep, '9']}]");
    List<GroupPath> below =
        wanted().keySet().stream().filter(group -> group.segments().size() == 1).toList();
    CpuSet seen = CpuSet.EMPTY;
    for (GroupPath group : below) {
      CpuSet cpus = wantedOf(group).cpus().orElseThrow();
      assertThat(cpus.intersects(seen)).as("%s with %s beside %s", group, cpus, seen).isFalse();
      seen = seen.union(cpus);
    }
    assertThat(below).hasSize(3);
    assertThat(seen).isEqualTo(CpuSet.range(1, 7));
    assertThat(wantedOf(GroupPath.OWN).partition()).contains(Partition.ROOT);
    assertThat(wantedOf(GroupPath.of("default_first~app")).partition())
        .contains(Partition.ISOLATED);
  }

  @Test
  void anIsolatedContainerThatGetsAnInitContainersCpusHasItsGroupAfterIt() {
    Resident resident =
        admit(
            "heir",
            "initContainers: " + container("setup", 2) + ", containers: " + container("app", 2));
    assertThat(wanted()).containsKey(GroupPath.of("default_heir~setup"));
    assertThat(wanted()).doesNotContainKey(GroupPath.of("default_heir~app"));
    ContainerLife setup = resident.life().container("setup").orElseThrow();
    setup.started(0);
    setup.ended(0, 1);
    assertThat(wanted()).doesNotContainKey(GroupPath.of("default_heir~setup"));
    assertThat(wantedOf(GroupPath.of("default_heir~app")).cpus()).contains(CpuSet.of(1, 2));
  }
}
