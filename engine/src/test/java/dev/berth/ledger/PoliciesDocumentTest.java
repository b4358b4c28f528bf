package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.allocation.StaticOption;
import dev.berth.testing.Drawing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code docs/policies.md} draws is what one gets. */
class PoliciesDocumentTest {
  private static final String INDENT = "    ";

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Path.of("../docs/policies.md"));
  }

  @Test
  void everyDrawingIsTrue() throws IOException {
    assertThat(String.join("\n", lines())).isEqualTo(String.join("\n", redrawn(lines())));
    assertThat(lines().stream().map(String::strip).filter(Drawing::isQuestion))
        .hasSizeGreaterThan(8);
  }

  /** The document with every row drawn anew from its label. */
  static List<String> redrawn(List<String> lines) {
    List<String> redrawn = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String question = lines.get(i);
      redrawn.add(question);
      if (!Drawing.isQuestion(question.strip())) {
        continue;
      }
      List<String> labels = new ArrayList<>();
      while (i + 1 < lines.size() && lines.get(i + 1).startsWith(INDENT)) {
        labels.add(lines.get(++i).strip().replaceFirst(" {2,}.*", ""));
      }
      String indent = question.substring(0, question.length() - question.stripLeading().length());
      int width = labels.stream().mapToInt(String::length).max().orElse(0) + 2;
      Drawing drawing = Drawing.of(question.strip());
      for (String label : labels) {
        redrawn.add(indent + label + " ".repeat(width - label.length()) + drawing.with(label));
      }
    }
    return redrawn;
  }

  @Test
  void everyOptionAndGateIsNamed() throws IOException {
    String document = String.join("\n", lines());
    for (StaticOption option : StaticOption.values()) {
      assertThat(document).contains("`" + option.kubernetesName() + "`");
    }
    for (Gate gate : Gate.values()) {
      assertThat(document).contains("`" + gate.kubernetesName() + "`");
    }
  }
}
