package dev.berth.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The example in {@code docs/library.md} is this folder's, and prints what is shown. */
class LibraryDocumentTest {
  private static String document() throws IOException {
    return Files.readString(Path.of("../docs/library.md"));
  }

  @Test
  void theExampleIsTheOneThatIsCompiled() throws IOException {
    String source = Files.readString(Path.of("src/test/java/dev/berth/example/Example.java"));
    String shown = source.substring(source.indexOf("import "));
    assertThat(document()).contains("```java\n" + shown + "```\n");
  }

  @Test
  void theExamplePrintsWhatIsShown() throws IOException {
    PrintStream before = System.out;
    var printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Example.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    String text = printed.toString(StandardCharsets.UTF_8);
    assertThat(text).startsWith("pod-8 has {app=4-7,68-71}\n");
    assertThat(document()).contains("```text\n" + text + "```\n");
  }
}
