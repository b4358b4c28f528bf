package dev.berth.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testing.SharedData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What Kubernetes answered to pods with devices. */
class DeviceCasesTest {
  private static final String MACHINE =
      """
      {"id": "c", "machine": {"cpus": [[0,0,0,0,0],[1,1,0,0,0],[2,2,1,1,1],[3,3,1,1,1]],
        "distances": [[10,20],[20,10]],
        "devices": [
          {"resource": "vendor.example/nic", "id": "nic-0", "numa": [0]},
          {"resource": "vendor.example/nic", "id": "nic-1", "numa": [0,1]},
          {"resource": "vendor.example/nic", "id": "nic-2"},
          {"resource": "vendor.example/nic", "id": "nic-3", "numa": [1], "unhealthy": true}]},
       "config": {"reservedCpus": "0", "topologyPolicy": "POLICY", "topologyScope": "container"},
       "steps": [
         {"admit": {"uid": "a", "containers": [
           {"name": "x", "limits": {"vendor.example/nic": "COUNT"}}]}},
         {"restart": true}]}
      """;

  @Test
  @Tag("slow")
  void agreesWithEveryRecordedCaseButForLuckInTwo() {
    Tally tally = new Tally();
    new CaseFile(SharedData.path("conformance/devices.jsonl.gz").toString())
        .forEachCase(tally::add);
    assertThat(tally.differing()).isEmpty();
    assertThat(tally.summary()).anyMatch(line -> line.startsWith("2 of them agree once devices"));
  }

  @Test
  void tellsDevicesByTheirPlacesAndKeepsThemOverARestart() {
    assertThat(devices("none", 3)).isEqualTo("{\"0\":1,\"0,1\":1,\"none\":1}");
    assertThat(devices("best-effort", 1)).isEqualTo("{\"0\":1}");
  }

  private static String devices(String policy, int count) {
    String line = MACHINE.replace("POLICY", policy).replace("COUNT", Integer.toString(count));
    Scenario scenario = scenario(line);
    assertThat(Replayer.run(scenario).steps()).allSatisfy(s -> assertThat(s.broken()).isEmpty());
    JsonNode answer = new JsonMapper().readTree(Replay.answered(scenario, false));
    JsonNode step = answer.path("expect").path("steps").path(0);
    return step.path("devices").path("x").path("vendor.example/nic").toString();
  }

  @Test
  void anotherDeviceThatWouldDoIsLuckAndOneThatWouldNotIsADifference() {
    assertThat(differences("best-effort", "0,1")).isZero();
    assertThat(differences("best-effort", "none")).isOne();
    assertThat(differences("best-effort", "1")).isOne();
  }

  private static int differences(String policy, String place) {
    Scenario scenario = scenario(MACHINE.replace("POLICY", policy).replace("COUNT", "1"));
    ObjectNode recorded = scenario.recorded();
    JsonNode ours = new JsonMapper().readTree(Replay.answered(scenario, false)).path("expect");
    recorded.set("expect", ours);
    ObjectNode step = (ObjectNode) recorded.path("expect").path("steps").path(0);
    step.putObject("devices").putObject("x").putObject("vendor.example/nic").put(place, 1);
    Tally tally = new Tally();
    tally.add(scenario);
    return tally.differing().size();
  }

  private static Scenario scenario(String json) {
    return (Scenario) CaseFile.read("case", json.replace("\n", " "));
  }
}
