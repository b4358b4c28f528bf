package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/simulate.md} shows is what one gets. */
class SimulateDocumentTest {
  private static String withoutTimes(String text) {
    return text.replaceAll(" +[0-9]+\\.[0-9] s", " TIME").replace("../examples", "examples");
  }

  @Tag("slow")
  @Test
  void theComparisonInTheDocumentIsTheOneThatIsPrinted() throws IOException {
    String document = Files.readString(Path.of("../docs/simulate.md"));
    int start = document.indexOf("```\n") + "```\n".length();
    String shown = document.substring(start, document.indexOf("```", start));
    Captured captured = new Captured();
    captured.berth(
        "simulate", "-f", "../examples/day.yaml", "--machine", "epyc-9654-2p-nps4", "--compare");
    assertThat(withoutTimes(captured.out())).isEqualTo(withoutTimes(shown));
  }

  @Test
  void everyAnnotationIsInTheTable(@TempDir Path folder) throws IOException {
    String pod =
        """
        kind: Pod
        metadata: {name: a, annotations: {simulate.berth.dev/frobnicate: x}}
        spec: {containers: [{name: app}]}
        """;
    Captured captured = new Captured();
    captured.berth("simulate", "-f", Files.writeString(folder.resolve("p"), pod).toString());
    Matcher names = Pattern.compile("expected one of (.*), found").matcher(captured.err());
    assertThat(names.find()).isTrue();
    String document = Files.readString(Path.of("../docs/simulate.md"));
    for (String name : names.group(1).split(", ", -1)) {
      assertThat(document).contains("| `simulate.berth.dev/" + name + ": ");
    }
  }
}
