package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Device;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What programs read of a refusal. */
class ReportJsonTest {
  private static final String NIC = "vendor.example/nic";

  private static Node node(String machine, String option) {
    return Node.start(
        Machines.parse(machine),
        Configuration.staticPolicy(CpuSet.of(0)).withOption(option, "true"));
  }

  private static JsonNode refused(Node node, Pod pod) {
    Scene scene = new Scene(node, List.of(), Map.of());
    JsonNode json = ReportJson.of(Explainer.wouldBe(scene, "new", pod, Objections.NONE));
    assertThat(json.path("decision").asString()).isEqualTo("refused");
    return json;
  }

  private static void admit(Node node, String uid, int cpus) {
    assertThat(node.admit(Pod.guaranteed(uid, cpus))).isInstanceOf(Decision.Granted.class);
  }

  @Test
  void namesTheCacheThatLacksSomething() {
    Node node = node("pack:1 node:1 l3:2 core:4 pu:1", "strict-align-cpus-by-uncorecache");
    admit(node, "a", 2);
    admit(node, "b", 3);
    assertThat(refused(node, Pod.guaranteed("new", 2)).path("nearMisses"))
        .hasToString(
            "[{\"cache\":0,\"resource\":\"cpu\",\"reserved\":1,\"holders\":{\"a\":2},\"container\":\"app\",\"asked\":2,\"free\":1,\"text\":\"L3"
                + " cache 0 has 1 of the 2 CPUs free that app asks for; held there: a 2; reserved"
                + " 1\"},"
                + "{\"cache\":1,\"resource\":\"cpu\",\"reserved\":0,\"holders\":{\"b\":3},\"container\":\"app\",\"asked\":2,\"free\":1,\"text\":\"L3"
                + " cache 1 has 1 of the 2 CPUs free that app asks for; held there: b 3\"}]");
  }

  @Test
  void countsWholeAndSplitCores() {
    Node node = node("pack:1 node:1 core:4 pu:2", "full-pcpus-only");
    admit(node, "a", 4);
    assertThat(refused(node, Pod.guaranteed("new", 4)).path("nearMisses"))
        .hasToString(
            "[{\"resource\":\"cpu\",\"wholeCores\":1,\"splitCores\":1,\"container\":\"app\",\"asked\":4,\"free\":2,\"text\":\"1"
                + " whole core with 2 CPUs is free for the 4 CPUs that app asks for; 1 core has"
                + " only a part of its CPUs free\"}]");
  }

  @Test
  void namesTheContainerThatCouldHaveFewer() {
    Node node = Node.start(Machines.parse("pack:1 node:1 core:8 pu:1"), Configuration.DEFAULTS);
    node.devices(List.of(Device.of(NIC, "nic-0"), Device.of(NIC, "nic-1")));
    Pod pod = Pod.of("new", List.of(asking("first", 1), asking("second", 2)));
    assertThat(refused(node, pod).path("changes"))
        .hasToString(
            "[{\"kind\":\"devices\",\"resource\":\"vendor.example/nic\",\"asked\":2,"
                + "\"container\":\"second\",\"devices\":1,\"text\":\"fits with 1 vendor.example/nic"
                + " for container second instead of 2\"}]");
  }

  private static Container asking(String name, int devices) {
    return new Container(name, Role.APP, Resources.guaranteed(Map.of(NIC, Quantity.of(devices))));
  }
}
