package dev.berth.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** The page, put together from its sources. */
public final class StoryPage {
  /** In the order in which they build on each other. */
  private static final List<String> SCRIPTS =
      List.of(
          "cpuset.js",
          "words.js",
          "packed.js",
          "machine.js",
          "story.js",
          "picture.js",
          "pods.js",
          "details.js",
          "table.js",
          "summary.js",
          "timeline.js",
          "try.js",
          "live.js",
          "page.js");

  private static final String STORY = "{{story}}";

  /** What stands in the place of a story where an agent is to be asked for it. */
  private static final String LIVE = "\"live\"";

  private static final int PACKED_AT_ONCE = 1 << 16;

  private StoryPage() {}

  /** Made once, by whoever comes first; others wait for it. */
  private static final class Whole {
    static final String PAGE = page();
  }

  /** Puts the page together, which takes longer than most stories. */
  public static void prepare() {
    if (!Whole.PAGE.contains(STORY)) {
      throw new IllegalStateException("page.html: expected " + STORY + " in it, found none");
    }
  }

  /** Writes a story as JSON, whole or bit by bit. */
  public interface Json {
    /** Writes to {@code out}. */
    void write(Writer out) throws IOException;
  }

  /**
   * Writes a page with a story in it: packed, for most of a long one is said again and again.
   *
   * @param story writes it as JSON
   */
  public static void write(Json story, Appendable out) throws IOException {
    String page = Whole.PAGE;
    int place = page.indexOf(STORY);
    out.append(page, 0, place).append("{\"gzip\":\"");
    try (Writer packed =
        new OutputStreamWriter(
            new GZIPOutputStream(Base64.getEncoder().wrap(new Letters(out)), PACKED_AT_ONCE),
            StandardCharsets.UTF_8)) {
      story.write(packed);
    }
    out.append("\"}").append(page, place + STORY.length(), page.length());
  }

  /** The page that follows the agent from which it came. */
  public static String live() {
    return Whole.PAGE.replace(STORY, LIVE);
  }

  /** Bytes that are letters already. */
  private static final class Letters extends OutputStream {
    private final Appendable out;

    Letters(Appendable out) {
      this.out = out;
    }

    @Override
    public void write(int letter) throws IOException {
      out.append((char) letter);
    }

    @Override
    public void write(byte[] letters, int offset, int length) throws IOException {
      out.append(new String(letters, offset, length, StandardCharsets.ISO_8859_1));
    }
  }

  private static String page() {
    String style = source("style.css");
    String script =
        SCRIPTS.stream()
            .map(StoryPage::source)
            .collect(Collectors.joining("\n", "(() => {\n\"use strict\";\n", "})();\n"));
    return source("page.html")
        .replace("{{policy}}", policy(style, script))
        .replace("{{style}}", style)
        .replace("{{script}}", script);
  }

  /** Nothing from anywhere but these two, and answers of nobody but the one it came from. */
  private static String policy(String style, String script) {
    return "default-src 'none'; base-uri 'none'; form-action 'none'; connect-src 'self'; style-src"
        + " '"
        + hash(style)
        + "'; script-src '"
        + hash(script)
        + "'";
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static String source(String name) {
    try (InputStream in = StoryPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("without its source " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
