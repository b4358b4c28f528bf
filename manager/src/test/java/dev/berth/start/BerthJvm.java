package dev.berth.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How tests start Berth in a JVM of its own. The system property {@code berth.built} names what
 * {@code ./berth} has made of these very sources: jars, and what the JVM recorded of a start. So
 * what is tested is what people run, and each start takes half a second less. Without it, the
 * classes under test are started.
 */
public final class BerthJvm {
  /** The JVM's flags for an agent, as the script {@code berth} has them. */
  public static final List<String> AGENT =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "--enable-native-access=ALL-UNNAMED",
          "-Xlog:disable",
          "-Xlog:all=error:stderr",
          "-Dpicocli.disable.closures=true",
          "-Dpicocli.converters.excludes=java.+",
          "-XX:+IgnoreUnrecognizedVMOptions",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:ArchiveRelocationMode=0",
          "-XX:-AOTReplayTraining",
          "-Xmx38m",
          "-Xmn8m",
          "-XX:TieredStopAtLevel=1",
          "-XX:CompileThresholdScaling=0.1",
          "-XX:+ExitOnOutOfMemoryError",
          "-Djdk.nio.maxCachedBufferSize=65536",
          "-XX:TrimNativeHeapInterval=2000");

  /** The same for a short command. */
  public static final List<String> SHORT =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "--enable-native-access=ALL-UNNAMED",
          "-Xlog:disable",
          "-Xlog:all=error:stderr",
          "-Dpicocli.disable.closures=true",
          "-Dpicocli.converters.excludes=java.+",
          "-XX:+IgnoreUnrecognizedVMOptions",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:ArchiveRelocationMode=0",
          "-XX:-AOTReplayTraining",
          "-XX:TieredStopAtLevel=1",
          "-XX:CompileThresholdScaling=2",
          "-XX:-MaxFDLimit",
          "-XX:-UsePerfData");

  private static final String BUILT = System.getProperty("berth.built", "");

  private BerthJvm() {}

  /** The words before the arguments of Berth, with these flags of the JVM. */
  public static List<String> words(List<String> flags) {
    if (BUILT.isEmpty()) {
      return words(flags, classPath());
    }
    // The checkout, the JDK and the class path are a line each.
    List<String> launch = launch();
    List<String> more = new ArrayList<>();
    more.add(
        "-XX:AOTCache=" + Path.of(BUILT, flags.containsAll(AGENT) ? "agent.aot" : "commands.aot"));
    more.add("-Dberth.script=" + Path.of(launch.getFirst(), "berth"));
    more.addAll(flags);
    return words(more, launch.get(2));
  }

  private static List<String> launch() {
    try {
      return Files.readAllLines(Path.of(BUILT, "launch"));
    } catch (IOException e) {
      throw new AssertionError(BUILT + ": expected what ./berth builds, found none", e);
    }
  }

  /** The same with classes from elsewhere. */
  public static List<String> words(List<String> flags, String classes) {
    return words(flags, classes, "dev.berth.cli.Main");
  }

  /** The same for another program. */
  public static List<String> words(List<String> flags, String classes, String main) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(flags);
    words.addAll(List.of("-cp", classes, main));
    return words;
  }

  /** The classes under test, and the tests themselves. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
