package dev.berth.agent.found;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.GroupState;
import dev.berth.cpu.CpuSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FoundGroupsTest {
  private static final GroupPath AGENT = GroupPath.of("agent");

  private static GroupState state(GroupPath group, String cpus, Long... processes) {
    return new GroupState(group, CpuSet.parse(cpus), false, new TreeSet<>(List.of(processes)));
  }

  private static FoundGroups found(GroupState... states) {
    return FoundGroups.of(List.of(states), AGENT);
  }

  @Test
  void aContainersPathNamesItsPodAndContainer() {
    FoundGroups found = found(state(GroupPath.of("pods", "default_db", "app"), "1-2", 7L, 8L));
    assertThat(found.containers())
        .extracting(FoundContainer::uid, FoundContainer::name, FoundContainer::cpus)
        .containsExactly(tuple("default_db", "app", CpuSet.of(1, 2)));
    assertThat(found.containers().getFirst().processes()).containsExactly(7L, 8L);
    assertThat(found.loose()).isEmpty();
  }

  @Test
  void aPartitionsPathNamesThemToo() {
    FoundGroups found = found(state(GroupPath.of("default_db~app"), "1", 7L));
    assertThat(found.containers())
        .extracting(FoundContainer::uid, FoundContainer::name)
        .containsExactly(tuple("default_db", "app"));
  }

  @Test
  void groupsThatAContainerMadeForItselfAreItsOwn() {
    GroupPath container = GroupPath.of("pods", "db", "app");
    FoundGroups found =
        found(
            state(container, "1-2"),
            state(container.child("inner"), "1", 7L),
            state(container.child("inner").child("deep"), "1", 8L));
    assertThat(found.containers())
        .extracting(FoundContainer::group, FoundContainer::cpus)
        .containsExactly(tuple(container, CpuSet.of(1, 2)));
    assertThat(found.containers().getFirst().processes()).containsExactly(7L, 8L);
  }

  @Test
  void aGroupWithoutProcessesIsNoContainerThatRuns() {
    assertThat(found(state(GroupPath.of("pods", "db", "app"), "1")).containers()).isEmpty();
  }

  @Test
  void processesBesideContainersAreLoose() {
    GroupPath pods = GroupPath.of("pods");
    FoundGroups found =
        found(
            state(GroupPath.OWN, "0-3", 5L),
            state(pods, "0-3", 6L),
            state(pods.child("db"), "0", 7L));
    assertThat(found.containers()).isEmpty();
    assertThat(found.loose().keySet()).containsExactly(GroupPath.OWN, pods, pods.child("db"));
  }

  @Test
  void theAgentAndItsShellsAreNoContainer() {
    FoundGroups found = found(state(AGENT, "0", 5L), state(AGENT.child("x"), "0", 6L));
    assertThat(found.containers()).isEmpty();
    assertThat(found.loose()).isEmpty();
  }
}
