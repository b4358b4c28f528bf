package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.YamlValue.Items;
import dev.berth.kubelet.YamlValue.Scalar;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlTest {
  private static YamlField document(String text) {
    return YamlField.document(Yaml.read("f", text).getFirst());
  }

  private static void refuses(String text, String start) {
    assertThatThrownBy(() -> Yaml.read("f", text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(start)
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
  }

  @Test
  void valuesKnowTheirLines() {
    YamlField second =
        document("a: 1\nb:\n- x\n- {c: y}\n").field("b").orElseThrow().items().get(1);
    assertThat(second.field("c").orElseThrow().place()).isEqualTo("f:4: b[1].c");
  }

  @Test
  void emptyDocumentsAreLeftOut() {
    assertThat(Yaml.read("f", "---\n---\na: 1\n---\n# nothing\n...\n")).hasSize(1);
  }

  @Test
  void quotesMakeTextOfNothing() {
    assertThat(document("{a: null, b: \"null\", c: ~, d: \"\"}").fields().keySet())
        .isEqualTo(Set.of("b", "d"));
  }

  @Test
  void anAliasStandsForWhatItNames() {
    Items items = (Items) document("[&a {x: 1}, *a]").value();
    assertThat(items.values().get(1)).isSameAs(items.values().get(0));
    assertThat(items.weight()).isEqualTo(5);
  }

  @Test
  void hostileFilesAreOneLine() {
    refuses("[".repeat(100_000), "f:1: expected at most 64 levels of YAML, found more");
    refuses("{a: ".repeat(100_000), "f:1: expected at most 64 levels of YAML, found more");
    refuses("- ".repeat(10_000), "f:1: expected at most 64 levels of YAML, found more");
    StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 30; i++) {
      String alias = "*a" + (i - 1);
      bomb.append("a" + i + ": &a" + i + " [" + (alias + ",").repeat(9) + alias + "]\n");
    }
    refuses(bomb.toString(), "f:5: expected at most 100000 values with aliases written out");
    refuses("a: &a [*a]", "f:1: expected an alias of something above, found *a");
    refuses("--- {a: &x 1}\n--- *x\n", "f:2: expected an alias of something above, found *x");
    refuses("a: 1\nb: 2\na: 3\n", "f:3: expected every key once, found \"a\" again");
    refuses("a:\n\tb: 1\n", "f:2: expected YAML, found a fault: ");
    refuses("a: b: c\n", "f:1: expected YAML, found a fault: ");
    refuses("a: \"x\n", "f:2: expected YAML, found a fault: ");
    refuses("? [a]\n: b\n", "f:1: expected a key that is text, found another");
    refuses("<<: {a: 1}\n", "f:1: expected keys that are written out, found the merge key <<");
    refuses("a: \u0000\n", "f");
    refuses("x".repeat(Yaml.LENGTH_LIMIT + 1), "f: expected at most 8388608 characters of YAML");
  }

  @Test
  void aTagMakesNoObject() {
    assertThat(Yaml.read("f", "!!javax.script.ScriptEngineManager x"))
        .isEqualTo(List.of(new Scalar("f:1", "x", true)));
  }

  /** Whatever becomes of a file, reading it ends with a value or with one line. */
  @Test
  void mutatedFilesAreReadOrRefused() {
    long seed = System.nanoTime();
    System.out.println("YamlTest seed " + seed);
    Random random = new Random(seed);
    String text = "a: &x {b: [1, \"2\"], c: |\n    text\n}\n---\n- *x\n- 'q'\n";
    String alphabet = "{}[]:-&*!|>'\"#%@,?\n\t ax1\u0000\u2028";
    int refused = 0;
    for (int i = 0; i < 2_000; i++) {
      StringBuilder mutated = new StringBuilder(text);
      for (int changes = random.nextInt(1, 6); changes > 0; changes--) {
        char other = alphabet.charAt(random.nextInt(alphabet.length()));
        mutated.setCharAt(random.nextInt(mutated.length()), other);
      }
      try {
        assertThat(Yaml.read("f", mutated.toString()).size()).isLessThan(20);
      } catch (InvalidInputException e) {
        assertThat(e.line()).startsWith("f").hasLineCount(1);
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "10s,PT10S",
    "1m30s,PT1M30S",
    "1.5h,PT1H30M",
    "250ms,PT0.25S",
    "0,PT0S",
    ".5s,PT0.5S"
  })
  void durationsAreGos(String text, String expected) {
    assertThat(GoDuration.parse(text)).isEqualTo(Duration.parse(expected));
  }

  @ParameterizedTest
  @CsvSource({"''", "s", "10", "1x", "-1s", "9999999999h", "1ss"})
  void otherDurationsAreRefused(String text) {
    assertThatThrownBy(() -> GoDuration.parse(text)).isInstanceOf(InvalidInputException.class);
  }
}
