package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a new user gets wrong first, and what to do next. */
class UsageWordsTest {
  @TempDir private Path folder = Path.of("");

  private final Captured captured = new Captured();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          simulate pods.yaml              | expected -f WORKLOAD, found none
          simulate -f x -o xml            | -o: expected text, json, html or svg, found "xml"
          explain x -o xml                | -o: expected text or json, found "xml"
          simulate -f x --seed one        | --seed: expected a whole number, found "one"
          simulate -f x --machne epyc     | unknown option '--machne', did you mean --machine?
          """)
  void aWrongCommandLineIsToldWhatIsExpected(String words, String expected) {
    assertThat(captured.berth(words.split(" ", -1))).isEqualTo(2);
    assertThat(captured.err()).startsWith("berth: " + expected).contains(" --help)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          kind: Service                               | found only what makes no pods
          kind: Pod#  metadata: {name: x}             | indented by too much or too little?
          kind: Pod#metadata: {name: x, annotations: {simulate.berth.dev/cuont: "3"}}#spec: {containers: [{name: a}]} | did you mean simulate.berth.dev/count?
          kind: Deplyoment                            | did you mean Deployment?
          """)
  void aWrongWorkloadIsToldWhatWasMeant(String yaml, String expected) throws IOException {
    Path file = folder.resolve("pods.yaml");
    Files.writeString(file, "apiVersion: v1\n" + yaml.replace("#", "\n") + "\n");
    assertThat(captured.berth("simulate", "-f", file.toString())).isEqualTo(2);
    assertThat(captured.err().lines()).hasSizeBetween(1, 2);
    assertThat(captured.err()).contains(expected);
  }

  @Test
  void anEmptyWorkloadIsToldWhatCouldBeInIt() throws IOException {
    Path file = Files.writeString(folder.resolve("none.yaml"), "");
    assertThat(captured.berth("simulate", "-f", file.toString())).isEqualTo(2);
    assertThat(captured.err()).contains("expected at least one of Pod,").contains("found nothing");
  }

  @Test
  void aMistypedOptionOfThePolicyIsToldWhatWasMeant() {
    assertThat(
            captured.berth("config", "show", "--cpu-manager-policy-options", "full-pcpu-only=true"))
        .isEqualTo(2);
    assertThat(captured.err()).contains("found \"full-pcpu-only\", did you mean full-pcpus-only?");
  }

  @Test
  void whoExplainsWhatMakesPodsIsSentToTheSimulation() throws IOException {
    Path file = Files.writeString(folder.resolve("d.yaml"), "apiVersion: apps/v1\nkind: Job\n");
    assertThat(captured.berth("explain", "-f", file.toString(), "--machine", "epyc-7702p"))
        .isEqualTo(2);
    assertThat(captured.err())
        .contains("kind: expected Pod or List, found a Job, which makes pods; berth simulate");
  }

  @Test
  void whoExplainsWithoutAnAgentIsToldHowToDoWithoutOne() throws IOException {
    Path file = Files.writeString(folder.resolve("p.yaml"), "kind: Pod\n");
    Path socket = folder.resolve("none.sock");
    assertThat(captured.berth("explain", "-f", file.toString(), "--socket", socket.toString()))
        .isEqualTo(3);
    assertThat(captured.err()).contains("no agent answers there").contains("--machine");
  }
}
