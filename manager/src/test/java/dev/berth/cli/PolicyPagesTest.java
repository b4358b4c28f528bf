package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.allocation.StaticOption;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.TopologySettings;
import dev.berth.testing.Document;
import dev.berth.testing.Document.Block;
import dev.berth.testing.Document.Kind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every picture in {@code docs/policies} is what the command above it draws, and every
 * configuration there can be read. With {@code -Dberth.redraw=true} the pictures are drawn anew.
 */
class PolicyPagesTest {
  private static final Path FOLDER = Path.of("../docs/policies");
  private static final Pattern COMMAND =
      Pattern.compile("\\./berth (simulate .* -o svg) > docs/policies/([a-z-]+\\.svg)");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  static List<Path> pages() throws IOException {
    return files("*.md");
  }

  private static List<Path> files(String glob) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(FOLDER, glob)) {
      found.forEach(files::add);
    }
    return files;
  }

  private static Matcher command(Block block) {
    assertThat(block.commands()).hasSize(1);
    Matcher command = COMMAND.matcher(block.commands().getFirst().replaceAll(" *\\\\\n *", " "));
    assertThat(command.matches()).as(block.text()).isTrue();
    return command;
  }

  private static String drawn(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      String text = word.group(1) == null ? word.group(2) : word.group(1);
      words.add(text.startsWith("examples/") ? "../" + text : text);
    }
    Captured captured = new Captured();
    assertThat(captured.berth(words.toArray(String[]::new))).as(captured.err()).isZero();
    // The command is run where the repository is, and names its workload so.
    return captured.out().replace("../examples/", "examples/");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyPictureIsWhatTheCommandAboveItDraws(Path page) throws IOException {
    String text = Files.readString(page);
    int pictures = 0;
    for (Block block : Document.read(page).blocks()) {
      if (block.kind() == Kind.YAML) {
        assertThat(NodeSettings.read(page.toString(), block.text(), List.of())).isNotNull();
        continue;
      }
      Matcher command = command(block);
      String name = command.group(2);
      String drawn = drawn(command.group(1));
      if (Boolean.getBoolean("berth.redraw")) {
        Files.writeString(FOLDER.resolve(name), drawn);
      }
      assertThat(drawn).as(name).isEqualTo(Files.readString(FOLDER.resolve(name)));
      assertThat(text).containsPattern("!\\[[^\\]]{20,}\\]\\(" + Pattern.quote(name) + "\\)");
      pictures++;
    }
    assertThat(pictures).as("pictures of " + page).isPositive();
    assertThat(text).contains("**When to use it.**").containsPattern("\\*\\*Traps?\\.\\*\\*");
  }

  @Test
  void everyPictureIsOnAPage() throws IOException {
    TreeSet<String> drawn = new TreeSet<>();
    for (Path page : pages()) {
      for (Block block : Document.read(page).blocks()) {
        if (block.kind() == Kind.COMMANDS) {
          assertThat(drawn.add(command(block).group(2))).as("drawn once").isTrue();
        }
      }
    }
    assertThat(files("*.svg").stream().map(path -> path.getFileName().toString()))
        .containsExactlyInAnyOrderElementsOf(drawn);
  }

  /** Whether a gate itself says who gets which CPUs; the others permit what has pages. */
  private static boolean places(Gate gate) {
    return switch (gate) {
      case CPU_MANAGER_UNCORE_CACHE_ALIGN, POD_LEVEL_RESOURCE_MANAGERS -> true;
      case CPU_MANAGER_POLICY_OPTIONS,
          CPU_MANAGER_POLICY_ALPHA_OPTIONS,
          CPU_MANAGER_POLICY_BETA_OPTIONS,
          POD_LEVEL_RESOURCES ->
          false;
    };
  }

  @Test
  void everyOptionPolicyAndGateThatPlacesHasAPageThatTheIndexNames() throws IOException {
    List<String> topics = new ArrayList<>(List.of("scope", "memory-manager"));
    topics.addAll(List.of("prefer-closest-numa-nodes", "max-allowable-numa-nodes"));
    for (CpuPolicy policy : CpuPolicy.values()) {
      topics.add(policy.kubernetesName());
    }
    for (Gate gate : Gate.values()) {
      if (places(gate)) {
        topics.add(gate.name().toLowerCase(Locale.ROOT).replace('_', '-'));
      }
    }
    for (StaticOption option : StaticOption.values()) {
      topics.add(option.kubernetesName());
    }
    for (TopologySettings.Policy policy : TopologySettings.Policy.values()) {
      topics.add("topology-" + policy.kubernetesName());
    }
    assertThat(pages().stream().map(path -> path.getFileName().toString().replace(".md", "")))
        .containsExactlyInAnyOrderElementsOf(topics);
    String index = Files.readString(Path.of("../docs/policies.md"));
    assertThat(topics)
        .allSatisfy(topic -> assertThat(index).contains("(policies/" + topic + ".md)"));
  }
}
