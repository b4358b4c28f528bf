package dev.berth.cli;

import dev.berth.cli.guide.Completion;
import dev.berth.cli.guide.Guide;
import dev.berth.cli.guide.ManPage;
import dev.berth.cli.guide.Shell;
import dev.berth.topology.KnownMachine;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The manual's pages and the shells' scripts. They tell of every command, and to read all of these
 * takes longer than most commands do; so the build writes them once, and the start script names
 * their folder in the system property {@code berth.pages}. Where that has none, they are made when
 * asked for.
 */
final class Pages {
  private static final String FOLDER = System.getProperty("berth.pages", "");

  /** Words of commands, and nothing that leads out of the folder. */
  private static final Pattern WORDS = Pattern.compile("[a-z]+( [a-z]+)*");

  private final Guide guide;
  private final String version;

  private Pages(Guide guide, String version) {
    this.guide = guide;
    this.version = version;
  }

  /**
   * The entry that the build calls.
   *
   * @param arguments the folder
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    Pages pages = made();
    pages.writeManual(folder);
    for (Shell shell : Shell.values()) {
      Files.writeString(folder.resolve(fileName(shell)), pages.script(shell));
    }
  }

  /** From what the commands say of themselves now. */
  static Pages made() {
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    var output = new Output(nowhere, nowhere, false, false, Output.DEFAULT_WIDTH);
    return new Pages(Guide.of(Main.commandLine(output)), Version.line());
  }

  /**
   * A command's page of the manual.
   *
   * @param words the command's; none for the program itself
   */
  static Optional<String> manual(String words) throws IOException {
    Optional<String> kept = Optional.empty();
    if (words.isEmpty() || WORDS.matcher(words).matches()) {
      kept = kept(ManPage.fileName(("berth " + words).strip()));
    }
    return kept.isPresent() ? kept : made().page(words);
  }

  /** The script with which a shell completes our words. */
  static String completion(Shell shell) throws IOException {
    Optional<String> kept = kept(fileName(shell));
    return kept.isPresent() ? kept.get() : made().script(shell);
  }

  private static Optional<String> kept(String name) throws IOException {
    Path file = Path.of(FOLDER, name);
    return FOLDER.isEmpty() || !Files.exists(file)
        ? Optional.empty()
        : Optional.of(Files.readString(file));
  }

  private static String fileName(Shell shell) {
    return "berth." + shell;
  }

  /** Writes every page of the manual into a folder. */
  void writeManual(Path folder) throws IOException {
    for (Guide.Entry entry : guide.commands()) {
      Files.writeString(folder.resolve(ManPage.fileName(entry.path())), ManPage.of(entry, version));
    }
  }

  private Optional<String> page(String words) {
    return guide.command(words).map(entry -> ManPage.of(entry, version));
  }

  private String script(Shell shell) {
    List<String> machines = Machines.all().stream().map(KnownMachine::name).toList();
    return Completion.script(shell, guide, machines);
  }
}
