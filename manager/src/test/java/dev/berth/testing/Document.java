package dev.berth.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A document whose examples are to be true, taken apart.
 *
 * <p>An indented block, or a fenced one of {@code sh}, is commands, one a line; a line that ends
 * with a backslash goes on in the next. A fenced block of {@code text} after it is what they print.
 * A fenced block of {@code yaml} is a configuration or pods. An HTML comment before a block says
 * something about it: {@code not run: REASON}, {@code not run: COMMAND: REASON} for one line of it,
 * or {@code file: PATH} where the block shows a file.
 */
public final class Document {
  private static final Pattern COMMENT = Pattern.compile("<!-- (not run|file): (.*) -->");
  private static final String INDENT = "    ";
  private static final String FENCE = "```";

  private final Path path;
  private final List<Block> blocks = new ArrayList<>();

  /** What a block is. */
  public enum Kind {
    /** Lines for a shell. */
    COMMANDS,
    /** What the commands before it print. */
    OUTPUT,
    /** A configuration or pods. */
    YAML
  }

  /**
   * A block.
   *
   * @param kind what it is
   * @param line where it begins, from 1
   * @param lines what it says
   * @param notRun why it, or a line of it, is not run; empty where it is
   * @param file which file it shows; empty where none
   */
  public record Block(Kind kind, int line, List<String> lines, String notRun, String file) {
    /** All of it. */
    public String text() {
      return String.join("\n", lines) + "\n";
    }

    /** The commands, each with the lines on which it goes on. */
    public List<String> commands() {
      List<String> commands = new ArrayList<>();
      StringBuilder command = new StringBuilder();
      for (String line : lines) {
        command.append(line);
        if (line.endsWith("\\")) {
          command.append('\n');
        } else {
          commands.add(command.toString());
          command.setLength(0);
        }
      }
      return commands;
    }

    /** Whether a command is one that cannot be run where tests are. */
    public boolean isRun(String command) {
      return notRun.isEmpty() || (namesLine() && !command.startsWith(namedLine()));
    }

    private boolean namesLine() {
      return notRun.contains(": ");
    }

    private String namedLine() {
      return notRun.substring(0, notRun.indexOf(": "));
    }

    private void check(Path path) {
      if (namesLine() && commands().stream().noneMatch(line -> line.startsWith(namedLine()))) {
        throw new AssertionError(path + ":" + line + ": no command begins with " + namedLine());
      }
    }
  }

  private Document(Path path) {
    this.path = path;
  }

  /** Takes a document apart. */
  public static Document read(Path path) throws IOException {
    Document document = new Document(path);
    document.parse(Files.readAllLines(path));
    return document;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Its blocks, in order. */
  public List<Block> blocks() {
    return List.copyOf(blocks);
  }

  private void parse(List<String> lines) {
    String notRun = "";
    String file = "";
    for (int i = 0; i < lines.size(); i++) {
      Matcher comment = COMMENT.matcher(lines.get(i));
      if (comment.matches()) {
        notRun = comment.group(1).equals("not run") ? comment.group(2) : notRun;
        file = comment.group(1).equals("file") ? comment.group(2) : file;
      } else if (lines.get(i).startsWith("<!--")) {
        throw new AssertionError(path + ":" + (i + 1) + ": a comment that says nothing");
      } else if (lines.get(i).startsWith(FENCE) || isIndented(lines, i)) {
        boolean fenced = lines.get(i).startsWith(FENCE);
        int end = fenced ? fencedEnd(lines, i) : indentedEnd(lines, i);
        Kind kind = fenced ? kind(lines.get(i), i + 1) : Kind.COMMANDS;
        List<String> content =
            fenced
                ? lines.subList(i + 1, end)
                : lines.subList(i, end).stream().map(line -> line.substring(4)).toList();
        Block block = new Block(kind, i + 1, List.copyOf(content), notRun, file);
        block.check(path);
        blocks.add(block);
        i = fenced ? end : end - 1;
        notRun = "";
        file = "";
      }
    }
  }

  private Kind kind(String fence, int line) {
    return switch (fence.substring(FENCE.length())) {
      case "sh" -> Kind.COMMANDS;
      case "text" -> Kind.OUTPUT;
      case "yaml" -> Kind.YAML;
      default ->
          throw new AssertionError(
              path + ":" + line + ": expected sh, text or yaml, found " + fence);
    };
  }

  private static boolean isIndented(List<String> lines, int at) {
    return lines.get(at).startsWith(INDENT) && at > 0 && lines.get(at - 1).isEmpty();
  }

  private static int indentedEnd(List<String> lines, int from) {
    int end = from;
    while (end < lines.size() && lines.get(end).startsWith(INDENT)) {
      end++;
    }
    return end;
  }

  private static int fencedEnd(List<String> lines, int from) {
    int end = from + 1;
    while (!lines.get(end).equals(FENCE)) {
      end++;
    }
    return end;
  }

  /**
   * Whether text is as a document shows it: {@code …} in a line stands for anything in that line, a
   * line of it alone for any lines.
   */
  public static boolean matches(String shown, String text) {
    StringBuilder pattern = new StringBuilder();
    for (String line : shown.stripTrailing().split("\n", -1)) {
      if (line.strip().equals("…")) {
        pattern.append("(?:[^\n]*\n)*?");
      } else {
        for (String part : line.split("…", -1)) {
          pattern.append(Pattern.quote(part)).append("[^\n]*");
        }
        pattern.setLength(pattern.length() - "[^\n]*".length());
        pattern.append("[ ]*\n");
      }
    }
    return Pattern.matches(pattern.toString(), text.stripTrailing() + "\n");
  }
}
