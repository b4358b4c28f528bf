package dev.berth.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How this very program is started once more. */
final class OwnProgram {
  private OwnProgram() {}

  /** The words before a command: the script that started this one, or the JVM where none did. */
  static List<String> words() {
    String script = System.getProperty("berth.script", "");
    return script.isEmpty()
        ? List.of(
            java(),
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName())
        : List.of(script);
  }

  /** The words before the arguments of another program of ours, with these options of the JVM. */
  static List<String> words(Class<?> program, List<String> options) {
    List<String> words = new ArrayList<>(List.of(java()));
    words.addAll(options);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    return words;
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
