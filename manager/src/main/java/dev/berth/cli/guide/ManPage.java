package dev.berth.cli.guide;

import dev.berth.cli.guide.Guide.Argument;
import dev.berth.cli.guide.Guide.Entry;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A page of the manual, in the macros that every {@code man} knows. */
public final class ManPage {
  private final StringBuilder text = new StringBuilder();
  private final Entry entry;

  private ManPage(Entry entry) {
    this.entry = entry;
  }

  /**
   * Of a command.
   *
   * @param version the program's
   */
  public static String of(Entry entry, String version) {
    ManPage page = new ManPage(entry);
    page.head(version);
    page.synopsis();
    page.description();
    page.options();
    page.inner();
    page.footer();
    page.seeAlso();
    return page.text.toString();
  }

  /**
   * The file's name in a folder such as {@code man1}.
   *
   * @param path the command's words, the program's name first
   */
  public static String fileName(String path) {
    return path.replace(' ', '-') + ".1";
  }

  private void head(String version) {
    String name = entry.path().replace(' ', '-');
    line(".TH \"" + name.toUpperCase(Locale.ROOT) + "\" \"1\" \"\" \"" + version + "\" \"Berth\"");
    line(".SH NAME");
    line(escaped(name) + " \\- " + escaped(summary()));
  }

  private String summary() {
    String summary = entry.summary();
    return summary.isEmpty()
        ? entry.path()
        : summary.substring(0, 1).toLowerCase(Locale.ROOT) + summary.substring(1);
  }

  private void synopsis() {
    line(".SH SYNOPSIS");
    StringBuilder synopsis = new StringBuilder("\\fB" + escaped(entry.path()) + "\\fR");
    if (!entry.options().isEmpty()) {
      synopsis.append(" [\\fIOPTION\\fR]...");
    }
    for (Argument parameter : entry.parameters()) {
      String label = "\\fI" + escaped(parameter.label()) + "\\fR";
      String several = parameter.isRepeated() ? "..." : "";
      synopsis
          .append(' ')
          .append(parameter.isRequired() ? label : "[" + label + "]")
          .append(several);
    }
    if (!entry.inner().isEmpty()) {
      synopsis.append(" \\fICOMMAND\\fR");
    }
    line(synopsis.toString());
  }

  private void description() {
    line(".SH DESCRIPTION");
    String separator = "";
    for (String paragraph : entry.description()) {
      text.append(separator);
      words(paragraph);
      separator = ".PP\n";
    }
    for (Argument parameter : entry.parameters()) {
      line(".TP");
      line("\\fI" + escaped(parameter.label()) + "\\fR");
      words(parameter.description());
    }
  }

  private void options() {
    if (entry.options().isEmpty()) {
      return;
    }
    line(".SH OPTIONS");
    for (Argument option : entry.options()) {
      line(".TP");
      String names = "\\fB" + escaped(String.join(", ", option.names())) + "\\fR";
      String label = option.label().isEmpty() ? "" : "=\\fI" + escaped(option.label()) + "\\fR";
      line(names.replace(", ", "\\fR, \\fB") + label);
      words(option.description());
    }
  }

  private void inner() {
    if (entry.inner().isEmpty()) {
      return;
    }
    line(".SH COMMANDS");
    text.append(
        entry.inner().stream()
            .map(name -> "\\fB" + escaped(entry.path() + " " + name) + "\\fR\n")
            .collect(Collectors.joining(".br\n")));
  }

  /** Examples and columns stay as they are; sentences are filled. */
  private void footer() {
    List<String> lines = entry.footer();
    if (lines.stream().allMatch(String::isBlank)) {
      return;
    }
    line(".SH NOTES");
    boolean isPending = false;
    boolean isBegun = false;
    for (String footer : lines.stream().flatMap(String::lines).toList()) {
      if (footer.isBlank()) {
        isPending = true;
      } else if (footer.startsWith(" ")) {
        line(".br");
        words(footer.strip().replaceAll("  +", "    "));
      } else {
        text.append(isPending && isBegun ? ".PP\n" : "");
        words(footer);
        isPending = false;
        isBegun = true;
      }
    }
  }

  private void seeAlso() {
    int space = entry.path().lastIndexOf(' ');
    if (space > 0) {
      line(".SH SEE ALSO");
      line("\\fB" + escaped(entry.path().substring(0, space).replace(' ', '-')) + "\\fR(1)");
    }
  }

  private void words(String words) {
    String escaped = escaped(words.strip());
    // A line that begins with a dot or an apostrophe would be a request.
    boolean isRequest = escaped.startsWith(".") || escaped.startsWith("'");
    line(escaped.isEmpty() ? "\\&" : isRequest ? "\\&" + escaped : escaped);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private static String escaped(String words) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < words.length(); i++) {
      char character = words.charAt(i);
      switch (character) {
        case '\\' -> escaped.append("\\e");
        case '-' -> escaped.append("\\-");
        case '\'' -> escaped.append("\\(aq");
        case '…' -> escaped.append("...");
        case '\n' -> escaped.append(' ');
        default -> escaped.append(character);
      }
    }
    return escaped.toString();
  }
}
