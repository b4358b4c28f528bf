package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command on a terminal of its own, 80 by 24, and everything that was sent to it. */
final class Screen implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

  private static final String AFTERWARDS = "echo settings $(stty -g)";

  private final Process process;
  private final OutputStream keyboard;
  private final StringBuilder text = new StringBuilder();

  private Screen(Process process) {
    this.process = process;
    keyboard = process.getOutputStream();
    Thread.ofPlatform().daemon().name("screen").start(this::read);
  }

  /** Says the terminal's settings before and after, and the exit code. */
  static Screen start(Path folder, String term, String... arguments) throws IOException {
    return start(folder, term, "", "-Dberth.terminal=true", AFTERWARDS, arguments);
  }

  /** In a shell that can stop it and let it go on; a line that is typed does the latter. */
  static Screen startAsJob(Path folder, String... arguments) throws IOException {
    return start(
        folder,
        "xterm",
        "set -m; ",
        "-Dberth.terminal=true",
        "echo settings $(stty -g); echo shell again; read line; fg; echo again $?; echo settings"
            + " $(stty -g)",
        arguments);
  }

  /** With its answer going to a file, so that only words for people come to the terminal. */
  static Screen startInto(Path file, Path folder, String... arguments) throws IOException {
    List<String> line = new ArrayList<>(List.of(arguments));
    line.add("> '" + file + "'");
    return start(folder, "xterm", "", "", AFTERWARDS, line.toArray(String[]::new));
  }

  private static Screen start(
      Path folder, String term, String before, String property, String after, String... arguments)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String command =
        "exec 2>&1; stty rows 24 cols 80; echo on $(tty); echo settings $(stty -g); "
            + before
            + String.join(
                " ",
                List.of(
                    "'" + java + "'",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    property,
                    "-Dberth.terminal.errors=true",
                    "-Dstdout.encoding=UTF-8",
                    "-cp",
                    "'" + System.getProperty("java.class.path") + "'",
                    "dev.berth.cli.Main"))
            + " "
            + String.join(" ", arguments)
            + "; echo ended $?; "
            + after;
    Path script = Files.writeString(folder.resolve("screen.sh"), "trap : INT\n" + command + "\n");
    // Whoever runs the tests in the background has them ignore Ctrl-C, which everything inherits.
    ProcessBuilder builder =
        new ProcessBuilder("env", "--default-signal", "script", "-qec", "sh " + script, "/dev/null")
            .redirectErrorStream(true);
    builder.environment().put("TERM", term);
    builder.environment().remove("COLUMNS");
    return new Screen(builder.start());
  }

  private void read() {
    byte[] buffer = new byte[1 << 16];
    try {
      for (int n = process.getInputStream().read(buffer);
          n >= 0;
          n = process.getInputStream().read(buffer)) {
        synchronized (text) {
          text.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
          text.notifyAll();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    synchronized (text) {
      return text.toString();
    }
  }

  void type(String keys) throws IOException {
    keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
    keyboard.flush();
  }

  /** Waits for words, whatever colours are among them. */
  void await(String words) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    synchronized (text) {
      while (!text.toString().replaceAll("\u001b\\[[0-9;]*m", "").contains(words)) {
        assertThat(System.nanoTime()).as("no \"%s\" in %s", words, text).isLessThan(until);
        text.wait(100);
      }
    }
  }

  /** Sends a signal to the command, by the name that kill knows. */
  void signal(String name) throws IOException, InterruptedException {
    ProcessHandle command =
        process
            .descendants()
            .filter(one -> one.info().command().orElse("").endsWith("/java"))
            .findFirst()
            .orElseThrow();
    run("kill", "-" + name, String.valueOf(command.pid()));
  }

  /** Gives the terminal another size, as a window does. */
  void resize(int columns, int rows) throws IOException, InterruptedException {
    String device = text().lines().filter(line -> line.startsWith("on ")).findFirst().orElseThrow();
    run(
        "stty",
        "-F",
        device.substring(3).strip(),
        "columns",
        String.valueOf(columns),
        "rows",
        String.valueOf(rows));
  }

  private static void run(String... command) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
        .as(String.join(" ", command))
        .isZero();
  }

  /** Forgets what was sent so far, so that it cannot be taken for something new. */
  void forget() {
    synchronized (text) {
      text.setLength(0);
    }
  }

  void awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).as("the shell ends").isTrue();
  }

  /** The settings are as before, the cursor is seen and the shell's page is back. */
  void assertGivenBack() {
    List<String> settings =
        text().lines().filter(line -> line.contains("settings ")).map(Screen::settings).toList();
    assertThat(settings).hasSize(2);
    assertThat(settings.getLast()).isEqualTo(settings.getFirst());
    assertThat(text().lastIndexOf("\u001b[?1049l"))
        .isGreaterThan(text().lastIndexOf("\u001b[?1049h"));
    assertThat(text().lastIndexOf("\u001b[?25h")).isGreaterThan(text().lastIndexOf("\u001b[?25l"));
  }

  private static String settings(String line) {
    return line.substring(line.indexOf("settings ")).strip();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }
}
