package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Reservation;
import dev.berth.ledger.TopologySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What {@code docs/configuration.md} and {@code docs/state.md} show is what one gets. */
class ConfigurationDocumentTest {
  private static String document(String name) throws IOException {
    return Files.readString(Path.of("../docs/" + name));
  }

  private static String example() throws IOException {
    String document = document("configuration.md");
    int start = document.indexOf("```yaml\n") + "```yaml\n".length();
    return document.substring(start, document.indexOf("```", start));
  }

  @Test
  void theExampleIsRead() throws IOException {
    NodeSettings settings = NodeSettings.read("example", example(), List.of());
    assertThat(settings.configuration().cpuOptions()).isEqualTo(Map.of("full-pcpus-only", "true"));
    assertThat(settings.configuration().reservation())
        .isEqualTo(new Reservation.These(CpuSet.of(0, 1)));
    assertThat(settings.configuration().topology().policy())
        .isEqualTo(TopologySettings.Policy.BEST_EFFORT);
    assertThat(settings.configuration().memory().policy()).isEqualTo(MemorySettings.Policy.STATIC);
  }

  @Test
  void everyKeyIsInTheExampleAndInTheTable() throws IOException {
    String document = document("configuration.md");
    String refusal =
        catchThrowableOfType(
                InvalidInputException.class,
                () -> NodeSettings.read("x", "frobnicateEverything: 1", List.of()))
            .line();
    String[] keys = refusal.substring(refusal.indexOf("known are ") + 10).split(", ", -1);
    assertThat(keys).hasSize(13);
    for (String key : keys) {
      assertThat(example()).contains(key + ":");
      assertThat(document).containsPattern("\\| .*`" + key + "[`.]");
    }
  }

  @Test
  void everyFlagIsNamed() throws IOException {
    String document = document("configuration.md");
    CommandSpec spec = new StateCheckCommand(new Captured().output()).spec();
    List<String> flags =
        spec.options().stream()
            .map(OptionSpec::longestName)
            .filter(name -> name.matches("--(cpu|topology|reserved|feature).*"))
            .toList();
    assertThat(flags).hasSize(8);
    assertThat(flags).allSatisfy(flag -> assertThat(document).contains("`" + flag + "`"));
  }

  @Test
  void theStateThatIsShownIsWhatOneSees(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("cpu_manager_state");
    Files.writeString(
        file,
        "{\"policyName\":\"static\",\"defaultCpuSet\":\"0,3,6-7\",\"entries\":{\"one\":{\"app\":"
            + "\"1-2\"},\"two\":{\"app\":\"4-5\"}},\"checksum\":0}");
    var captured = new Captured();
    captured.berth("state", "show", file.toString(), "--machine", "pack:1 node:2 l3:2 core:2 pu:1");
    assertThat(document("state.md")).contains(captured.out().stripTrailing().indent(4));
  }
}
