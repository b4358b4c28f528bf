package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.topology.KnownMachine;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What {@code docs/machines.md} shows is what one gets. */
class MachinesDocumentTest {
  private static final String PROMPT = "    $ berth ";
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Path.of("../docs/machines.md"));
  }

  @TestFactory
  Stream<DynamicTest> everyExampleIsTrue() throws IOException {
    List<String> lines = lines();
    List<DynamicTest> tests = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(PROMPT)) {
        String command = lines.get(i).substring(PROMPT.length());
        String expected = block(lines, i + 1);
        tests.add(DynamicTest.dynamicTest(command, () -> check(command, expected)));
      }
    }
    assertThat(tests).hasSize(4);
    return tests.stream();
  }

  private static void check(String command, String expected) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }
    Captured captured = new Captured();
    captured.berth(words.toArray(String[]::new));
    assertThat(captured.out() + captured.err()).isEqualTo(expected);
  }

  /**
   * The indented lines from {@code from} on, without their indent; empty lines inside belong to it.
   */
  private static String block(List<String> lines, int from) {
    StringBuilder block = new StringBuilder();
    for (String line : lines.subList(from, lines.size())) {
      if (!line.isEmpty() && !line.startsWith("    ")) {
        break;
      }
      block.append(line.isEmpty() ? "" : line.substring(4)).append('\n');
    }
    return block.toString().stripTrailing() + "\n";
  }

  @Test
  void everyBuiltInMachineIsNamed() throws IOException {
    String document = String.join("\n", lines());
    for (KnownMachine known : Machines.all()) {
      assertThat(document).contains("`" + known.name() + "`");
    }
  }
}
