package dev.berth.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.testing.Document.Block;
import dev.berth.testing.Document.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTest {
  @TempDir private Path folder = Path.of("");

  private List<Block> blocks(String text) throws IOException {
    return Document.read(Files.writeString(folder.resolve("d.md"), text)).blocks();
  }

  @Test
  void findsCommandsWhatTheyPrintAndWhatIsNotRun() throws IOException {
    List<Block> blocks =
        blocks(
            """
            Words.

                ./berth one
                ./berth two \\
                  --more

            ```text
            answer
            ```

            <!-- not run: ./berth four: for a reason -->
            ```sh
            ./berth three
            ./berth four
            ```
            <!-- file: a.yaml -->
            ```yaml
            kind: Pod
            ```
            """);
    assertThat(blocks.stream().map(Block::kind))
        .containsExactly(Kind.COMMANDS, Kind.OUTPUT, Kind.COMMANDS, Kind.YAML);
    assertThat(blocks.getFirst().commands())
        .containsExactly("./berth one", "./berth two \\\n  --more");
    assertThat(blocks.get(1).text()).isEqualTo("answer\n");
    assertThat(blocks.get(2).isRun("./berth three")).isTrue();
    assertThat(blocks.get(2).isRun("./berth four")).isFalse();
    assertThat(blocks.get(3).file()).isEqualTo("a.yaml");
  }

  @Test
  void refusesWhatItWouldOtherwisePassOver() {
    assertThatThrownBy(() -> blocks("```console\n$ x\n```\n"))
        .hasMessageContaining("d.md:1: expected sh, text or yaml");
    assertThatThrownBy(() -> blocks("<!-- not-run: x -->\n"))
        .hasMessageContaining("a comment that says nothing");
    assertThatThrownBy(() -> blocks("<!-- not run: ./verify: x -->\n\n    ./berth\n"))
        .hasMessageContaining("no command begins with ./verify");
  }

  @Test
  void anEllipsisStandsForARestOfALineOrForLines() {
    assertThat(Document.matches("a … c\n", "a b c\n")).isTrue();
    assertThat(Document.matches("a …\n", "a b\nc\n")).isFalse();
    assertThat(Document.matches("…\nc\n", "a\nb\nc\n")).isTrue();
    assertThat(Document.matches("a\n…\n", "a\nb\n\nc\n")).isTrue();
    assertThat(Document.matches("a\n…\nd\n", "a\nb\nc\n")).isFalse();
    assertThat(Document.matches("a.c\n", "abc\n")).isFalse();
  }
}
