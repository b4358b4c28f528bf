package dev.berth.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.Container.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodTest {
  private static Resources both(String cpu, String memory) {
    return Resources.guaranteed(
        Map.of("cpu", Quantity.parse(cpu), "memory", Quantity.parse(memory)));
  }

  private static Container container(String name, Role role, Resources resources) {
    return new Container(name, role, resources);
  }

  private static QosClass qos(Resources... resources) {
    return QosClass.of(
        Arrays.stream(resources).map(part -> container("c", Role.APP, part)).toList());
  }

  @Test
  void isGuaranteedWhereEveryContainerLimitsBothAndAsksForAsMuch() {
    assertThat(qos(both("1", "1Gi"), both("0.5", "1Mi"))).isEqualTo(QosClass.GUARANTEED);
    assertThat(qos(both("1", "1Gi"), Resources.NONE)).isEqualTo(QosClass.BURSTABLE);
    assertThat(qos(Resources.guaranteed(Map.of("cpu", Quantity.of(1)))))
        .as("no memory")
        .isEqualTo(QosClass.BURSTABLE);
  }

  @Test
  void isBurstableWhereAnythingIsAskedForLessFirmly() {
    Map<String, Quantity> one = Map.of("cpu", Quantity.of(1), "memory", Quantity.of(1));
    Map<String, Quantity> two = Map.of("cpu", Quantity.of(2), "memory", Quantity.of(1));
    assertThat(qos(new Resources(one, two))).isEqualTo(QosClass.BURSTABLE);
    assertThat(qos(new Resources(one, Map.of()))).isEqualTo(QosClass.BURSTABLE);
    assertThat(qos(new Resources(Map.of(), one))).isEqualTo(QosClass.BURSTABLE);
  }

  @Test
  void isBestEffortWhereNothingThatCountsIsAskedFor() {
    Map<String, Quantity> devices = Map.of("vendor.example/nic", Quantity.of(1));
    Map<String, Quantity> zero = Map.of("cpu", Quantity.ZERO);
    assertThat(qos(Resources.NONE)).isEqualTo(QosClass.BEST_EFFORT);
    assertThat(qos(Resources.guaranteed(devices))).isEqualTo(QosClass.BEST_EFFORT);
    assertThat(qos(Resources.guaranteed(zero))).isEqualTo(QosClass.BEST_EFFORT);
  }

  @Test
  void classesHaveKubernetesNames() {
    assertThat(QosClass.values())
        .extracting(QosClass::kubernetesName)
        .containsExactly("Guaranteed", "Burstable", "BestEffort");
  }

  @Test
  void initContainersCountForItsClass() {
    Container app = container("app", Role.APP, both("1", "1Gi"));
    Pod pod = Pod.of("p", List.of(container("init", Role.INIT, Resources.NONE), app));
    assertThat(pod.qosClass()).isEqualTo(QosClass.BURSTABLE);
    assertThat(pod.exclusiveCpus(app)).isZero();
  }

  @Test
  void aBudgetDecidesItsClass() {
    Container app = container("app", Role.APP, Resources.NONE);
    Pod pod = Pod.of("p", List.of(app), Optional.of(both("4", "1Gi")));
    assertThat(pod.qosClass()).isEqualTo(QosClass.GUARANTEED);
    assertThat(pod.budget()).contains(both("4", "1Gi"));
  }

  @Test
  void owesWholeCpusOnly() {
    Container whole = container("whole", Role.APP, both("2000m", "1Gi"));
    Container part = container("part", Role.APP, both("2.5", "1Gi"));
    Container endless = container("endless", Role.APP, both("9e18", "1Gi"));
    Pod pod = Pod.of("p", List.of(whole, part, endless));
    assertThat(pod.exclusiveCpus(whole)).isEqualTo(2);
    assertThat(pod.exclusiveCpus(part)).isZero();
    assertThat(pod.exclusiveCpus(endless)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aGuaranteedPodInOneCall() {
    Pod pod = Pod.guaranteed("p", 3);
    assertThat(pod.qosClass()).isEqualTo(QosClass.GUARANTEED);
    assertThat(pod.exclusiveCpus(pod.containers().getFirst())).isEqualTo(3);
    assertThat(pod.names()).containsExactly("app");
    assertThat(pod).hasToString("p").isEqualTo(Pod.guaranteed("p", 3));
    assertThat(pod).isNotEqualTo(Pod.guaranteed("p", 4)).hasSameHashCodeAs(Pod.guaranteed("p", 3));
  }

  @Test
  void refusesWhatNoPodCanBe() {
    Container app = container("app", Role.APP, Resources.NONE);
    Container init = container("init", Role.INIT, Resources.NONE);
    refuses("pod: expected a uid, found none", "", app);
    refuses("pod p: expected at least one container, found none", "p");
    refuses("pod p: expected at least one container, found none", "p", init);
    refuses("pod p: expected every container once, found app again", "p", app, app);
    refuses(
        "pod p: expected init containers before the others, found init after them", "p", app, init);
    assertThatThrownBy(() -> container("", Role.APP, Resources.NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("container: expected a name, found none");
  }

  private static void refuses(String message, String uid, Container... containers) {
    assertThatThrownBy(() -> Pod.of(uid, List.of(containers)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(message);
  }
}
