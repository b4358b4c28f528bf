package dev.berth.cli;

import static dev.berth.cli.SimulateCommandTest.MACHINE;
import static dev.berth.cli.SimulateCommandTest.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code berth simulate} draws: pages and pictures. */
class SimulatePicturesTest {
  @TempDir private Path folder = Path.of("");

  private final Captured captured = new Captured();

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("pods.yaml"), text).toString();
  }

  private int simulate(String file, String... more) {
    List<String> line = new ArrayList<>(List.of("simulate", "-f", file, "--machine", MACHINE));
    line.addAll(List.of(more));
    return captured.berth(line.toArray(String[]::new));
  }

  private JsonNode page(String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of(more));
    words.addAll(List.of("-o", "html"));
    assertThat(simulate(file(PODS), words.toArray(String[]::new))).isZero();
    Matcher data =
        Pattern.compile("<script id=\"story\"[^>]*>([^<]*)</script>").matcher(captured.out());
    assertThat(data.find()).isTrue();
    JsonNode packed = JsonMapper.shared().readTree(data.group(1)).path("gzip");
    byte[] gzip = Base64.getDecoder().decode(packed.asString());
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return JsonMapper.shared().readTree(in);
    }
  }

  @Test
  void aPageHasTheStoryAndItsFiguresWithoutWhatOnlyAnotherSimulationNeeds() throws IOException {
    JsonNode story = page();
    assertThat(story.path("steps").size()).isEqualTo(8);
    assertThat(story.at("/figures/refused").asInt()).isEqualTo(2);
    assertThat(story.at("/pods/0/name").asString()).isEqualTo("db-0");
    assertThat(story.at("/pods/0").has("manifest")).isFalse();
    assertThat(story.has("comparison")).isFalse();
  }

  @Test
  void aPageOfAComparisonTellsTheRecommendedConfigurationAndAll() throws IOException {
    JsonNode story = page("--compare");
    String recommended = story.at("/comparison/recommended").asString();
    JsonNode best =
        story
            .at("/comparison/configurations")
            .valueStream()
            .filter(one -> one.path("label").asString().equals(recommended))
            .findFirst()
            .orElseThrow();
    assertThat(story.path("configuration")).isEqualTo(best.path("configuration"));
    assertThat(story.path("figures")).isEqualTo(best.path("figures"));
  }

  @Test
  void drawsWhoIsThereAtTheEndAndWhoWasRefused() throws IOException {
    String pods = PODS.replaceAll(" *simulate.berth.dev/stays: 100s\n", "");
    assertThat(simulate(file(pods), "-o", "svg")).isZero();
    assertThat(captured.out())
        .startsWith("<svg ")
        .endsWith("</svg>\n")
        .contains("CPU policy static, topology policy best-effort, scope container")
        .contains(">db-0: CPUs 2-5<", ">db-1: CPUs 8-11<", ">db-2: CPUs 12-15<")
        .contains(">refused: db-3: ", ">refused: huge: ");
  }

  @Test
  void drawsTheMachineAsItWasAtAMoment() throws IOException {
    String file = file(PODS);
    assertThat(simulate(file, "--until", "50s", "-o", "svg")).isZero();
    assertThat(captured.out())
        .contains(">db-0: CPUs 2-5<", "pods.yaml on " + MACHINE + ", first 50s<");
    simulate(file, "--until", "30s");
    assertThat(captured.out()).contains(", first 30s").doesNotContain("db-2");
    assertThat(simulate(file, "--until", "noon")).isEqualTo(2);
    assertThat(captured.err()).startsWith("berth: --until \"noon\": expected a time such as 10s");
    assertThat(simulate(file, "--until", "")).isEqualTo(2);
    assertThat(captured.err()).contains("berth: --until \"\": expected a time such as 10s");
  }

  @Test
  void drawsAnEmptyMachineOnceAllHaveLeft() throws IOException {
    String file = file(PODS);
    assertThat(simulate(file, "-o", "svg", "--compare")).isZero();
    assertThat(captured.out()).startsWith("<svg ").doesNotContain("class=\"thread owner");
  }
}
