package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each rule, broken once, is told with the CPUs that it is about. */
class RulesTest {
  private static final CpuSet ALL = CpuSet.range(0, 7);
  private static final Rules RULES = new Rules(ALL, CpuSet.of(0), false);

  private static Assignments assignments(
      String shared, Map<String, ? extends Map<String, CpuSet>> exclusive) {
    return Assignments.of(CpuPolicy.STATIC, CpuSet.parse(shared), exclusive);
  }

  private static Map<String, CpuSet> app(String cpus) {
    return Map.of("app", CpuSet.parse(cpus));
  }

  private static Pod pod(Container... containers) {
    return Pod.of("p", Arrays.asList(containers));
  }

  private static Container container(String name, Role role) {
    return new Container(name, role, Resources.NONE);
  }

  @Test
  void nothingIsBrokenWhereAllIsWell() {
    var assigned = assignments("0,5-7", Map.of("p", app("1-2"), "q", app("3-4")));
    assertThat(RULES.broken(assigned, List.of())).isEmpty();
    assertThat(RULES.broken(assignments("0-7", Map.of()), List.of())).isEmpty();
  }

  @Test
  void noCpuIsWithTwoPods() {
    var assigned = assignments("0,4-7", Map.of("p", app("1-2"), "q", app("2-3")));
    assertThat(RULES.broken(assigned, List.of()))
        .containsExactly("pod q has CPUs of another pod: 2");
  }

  @Test
  void noCpuIsSharedAndExclusive() {
    var assigned = assignments("0,2-7", Map.of("p", app("1-2")));
    assertThat(RULES.broken(assigned, List.of())).containsExactly("pod p has shared CPUs: 2");
  }

  @Test
  void noReservedCpuIsGivenAway() {
    var assigned = assignments("2-7", Map.of("p", app("0-1")));
    assertThat(RULES.broken(assigned, List.of())).containsExactly("pod p has reserved CPUs: 0");
  }

  @Test
  void noCpuIsLost() {
    var assigned = assignments("0,3-6", Map.of("p", app("1")));
    assertThat(RULES.broken(assigned, List.of()))
        .containsExactly("lost: in no pool and with no pod: 2,7");
  }

  @Test
  void noCpuIsForeign() {
    var assigned = assignments("0,2-8", Map.of("p", app("1,64")));
    assertThat(RULES.broken(assigned, List.of()))
        .containsExactly("foreign: not this machine's to give: 8,64");
  }

  @Test
  void aStrictReservationIsNotShared() {
    Rules strict = new Rules(ALL, CpuSet.of(0), true);
    assertThat(strict.broken(assignments("0-7", Map.of()), List.of()))
        .containsExactly("foreign: not this machine's to give: 0");
    assertThat(strict.broken(assignments("1-7", Map.of()), List.of())).isEmpty();
  }

  @Test
  void containersThatRunAtOnceHaveNoCpuInCommon() {
    var assigned =
        assignments(
            "0,4-7", Map.of("p", Map.of("a", CpuSet.parse("1-2"), "b", CpuSet.parse("2-3"))));
    assertThat(
            RULES.broken(
                assigned, List.of(pod(container("a", Role.APP), container("b", Role.APP)))))
        .containsExactly("container b of pod p has CPUs of one that runs beside it: 2");
    assertThat(
            RULES.broken(
                assigned, List.of(pod(container("a", Role.SIDECAR), container("b", Role.APP)))))
        .containsExactly("container b of pod p has CPUs of one that runs beside it: 2");
    assertThat(
            RULES.broken(
                assigned, List.of(pod(container("a", Role.INIT), container("b", Role.APP)))))
        .as("an init container is over by then")
        .isEmpty();
  }

  /** A sidecar that started before an init container runs beside it. */
  @Test
  void aSidecarRunsBesideTheInitContainersAfterIt() {
    var assigned =
        assignments(
            "0,4-7", Map.of("p", Map.of("mesh", CpuSet.parse("1-2"), "init", CpuSet.parse("2-3"))));
    Container app = container("app", Role.APP);
    Container mesh = container("mesh", Role.SIDECAR);
    Container init = container("init", Role.INIT);
    assertThat(RULES.broken(assigned, List.of(pod(mesh, init, app))))
        .containsExactly("container init of pod p has CPUs of one that runs beside it: 2");
    assertThat(RULES.broken(assigned, List.of(pod(init, mesh, app)))).isEmpty();
  }

  @Test
  void everyBrokenRuleIsToldNotOnlyTheFirst() {
    var assigned = assignments("1,3-6,9", Map.of("p", app("0-1"), "q", app("1-2")));
    assertThat(RULES.broken(assigned, List.of()))
        .containsExactly(
            "pod p has shared CPUs: 1",
            "pod p has reserved CPUs: 0",
            "pod q has CPUs of another pod: 1",
            "pod q has shared CPUs: 1",
            "lost: in no pool and with no pod: 7",
            "foreign: not this machine's to give: 9");
  }
}
