package dev.berth.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases that cannot be read are told in one line, with file, line and field. */
class CaseFileTest {
  private static final String MACHINE =
      "\"machine\":{\"cpus\":[[0,0,0,0,0],[1,1,0,0,0]],\"distances\":[[10]]}";
  private static final String CASE =
      "{\"id\":\"one\"," + MACHINE + ",\"config\":{\"reservedCount\":1},\"steps\":[]}";

  @TempDir Path folder;

  private List<String> ids(String name, byte[] content) throws IOException {
    Path file = Files.write(folder.resolve(name), content);
    List<String> ids = new ArrayList<>();
    new CaseFile(file.toString()).forEach(scenario -> ids.add(scenario.id()));
    return ids;
  }

  private List<String> ids(String content) throws IOException {
    return ids("cases.jsonl", content.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void readsACaseALineAndPassesOverEmptyOnes() throws IOException {
    assertThat(ids(CASE + "\n\n" + CASE.replace("one", "two") + "\n"))
        .containsExactly("one", "two");
  }

  @Test
  void aFaultIsNamedByFileAndLine() {
    assertThatThrownBy(() -> ids(CASE + "\n{\"id\":"))
        .isInstanceOf(InvalidInputException.class)
        .message()
        .startsWith(folder + "/cases.jsonl:2: expected a JSON object, found a fault at column ")
        .doesNotContain("\n");
  }

  @Test
  void whatIsNotThereOrNotCompressedIsTold() {
    assertThatThrownBy(() -> new CaseFile(folder + "/none.jsonl").forEach(scenario -> {}))
        .isInstanceOf(InvalidInputException.class)
        .message()
        .startsWith(folder + "/none.jsonl: expected a file of cases, found ")
        .doesNotContain("\n");
    assertThatThrownBy(() -> ids("cases.jsonl.gz", new byte[] {1, 2, 3}))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(folder + "/cases.jsonl.gz: expected a file of cases, found ");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          7                            | expected a JSON object, found something else
          {}                           | .config: expected an object, found nothing
          {"config":[]}                | .config: expected an object, found []
          {"config":{}}                | .id: expected text, found nothing
          """)
  void aLineThatIsNoCaseIsTold(String line, String expected) {
    refuses(line, expected);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          "steps":7                          | .steps: expected a list, found 7
          "steps":[7]                        | .steps[0]: expected an object, found 7
          "steps":[{}]                       | .steps[0]: expected admit, remove or restart, found []
          "steps":[{"restart":1}]            | .steps[0].restart: expected true or false, found 1
          "steps":[{"remove":1}]             | .steps[0].remove: expected text, found 1
          "steps":[{"admit":{"containers":[]}}] | .steps[0].admit.uid: expected text, found nothing
          "steps":[{"admit":{"uid":"p"}}]    | .steps[0].admit: pod p: expected at least one container, found none
          "steps":[{"admit":{"uid":"p","containers":[{}]}}] | .steps[0].admit.containers[0].name: expected text, found nothing
          "steps":[{"admit":{"uid":"p","containers":[{"name":"c","limits":{"cpu":"2x"}}]}}] | .steps[0].admit.containers[0].limits.cpu: quantity "2x": expected a unit
          "steps":[{"admit":{"uid":"p","containers":[{"name":"c","limits":{"cpu":2}}]}}] | .steps[0].admit.containers[0].limits.cpu: expected text, found 2
          """)
  void aStepThatCannotBeReadIsTold(String steps, String expected) {
    refuses("{\"id\":\"one\"," + MACHINE + ",\"config\":{}," + steps + "}", expected);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          "reservedCpus":"0-"             | .config.reservedCpus: cpuset "0-": expected a number at column 3
          "reservedCount":"2"             | .config.reservedCount: expected a whole number, found "2"
          "reservedCount":-1              | .config.reservedCount: quantity: expected zero or more
          "cpuOptions":{"full-pcpus-only":true} | .config.cpuOptions.full-pcpus-only: expected text, found true
          "topologyPolicy":"best"         | .config: topologyManagerPolicy: expected none, best-effort, restricted or single-numa-node, found "best"
          "topologyScope":"node"          | .config: topologyManagerScope: expected container or pod, found "node"
          "cpuOption":{}                  | .config: expected names among reservedCpus, reservedCount, cpuOptions, topologyPolicy
          """)
  void aConfigurationThatCannotBeReadIsTold(String config, String expected) {
    refuses("{\"id\":\"one\"," + MACHINE + ",\"config\":{" + config + "},\"steps\":[]}", expected);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          {}
          {"cpus":[]}
          {"cpus":7}
          {"cpus":[[0,0,0,0]]}
          {"cpus":[[0,0,0,0,"0"]],"distances":[[10]]}
          {"cpus":[[0,0,0,0,-1]],"distances":[[10]]}
          {"cpus":[[0,0,0,0,0],[0,0,0,0,0]],"distances":[[10]]}
          {"cpus":[[0,0,0,0,0]],"distances":[[0]]}
          """)
  void aMachineThatCannotBeReadIsTold(String machine) {
    refuses("{\"id\":\"one\",\"machine\":" + machine + ",\"config\":{},\"steps\":[]}", ".machine");
  }

  private static void refuses(String line, String expected) {
    assertThatThrownBy(() -> CaseFile.read("cases:1", line))
        .isInstanceOf(InvalidInputException.class)
        .message()
        .startsWith("cases:1")
        .contains(expected)
        .contains("expected")
        .doesNotContain("\n");
  }
}
