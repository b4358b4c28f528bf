package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever follows a link in a document arrives. */
class DocumentLinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  static List<Path> documents() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> below = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(top, below)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyLinkWithinTheRepositoryLeadsSomewhere(Path document) throws IOException {
    Matcher link = LINK.matcher(Files.readString(document));
    while (link.find()) {
      String target = link.group(1);
      if (target.contains("://")) {
        continue;
      }
      int hash = target.indexOf('#');
      String file = hash < 0 ? target : target.substring(0, hash);
      Path path = file.isEmpty() ? document : document.resolveSibling(file).normalize();
      assertThat(path).as(document + ": " + target).exists();
      if (hash >= 0) {
        assertThat(anchors(path)).as(document + ": " + target).contains(target.substring(hash + 1));
      }
    }
  }

  /** What headings are called in links: letters and digits in lower case, blanks as hyphens. */
  private static List<String> anchors(Path document) throws IOException {
    return Files.readAllLines(document).stream()
        .filter(line -> line.matches("#+ .*"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }

  @Test
  void theIndexNamesEveryDocument() throws IOException {
    String index = Files.readString(ROOT.resolve("docs/README.md"));
    Path folder = ROOT.resolve("docs");
    for (Path document : documents()) {
      Path name = folder.relativize(document);
      // Pages about policies are named by policies.md, which is another test's business.
      if (document.startsWith(folder)
          && !name.startsWith("policies")
          && !name.endsWith("README.md")) {
        assertThat(index).contains("(" + name + ")");
      }
    }
  }
}
