package dev.berth.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the scripts make of wrong input, and of programs that break off. They are started from a
 * copy, in which nothing is built: whatever of it they start is seen.
 */
class ScriptsTest {
  private static final String READY = "echo 'berth: agent: ready' >&2";

  /** As {@code berth} ends, whatever it is asked for. */
  private static final String SOUND = "case \"$*\" in *nonsense*) exit 2 ;; esac";

  private record Ended(int code, String out, String err) {}

  @TempDir Path folder;

  @BeforeEach
  void copied() throws IOException {
    for (String kind : List.of("bench", "scripts")) {
      Files.createDirectories(folder.resolve("root").resolve(kind));
      try (Stream<Path> files = Files.list(Path.of("..", kind))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.copy(file, folder.resolve("root").resolve(kind).resolve(file.getFileName()));
        }
      }
    }
    program("root/berth", "touch '" + folder.resolve("started") + "'");
  }

  /** A program of a shell's lines. */
  private String program(String name, String... lines) throws IOException {
    Path program = folder.resolve(name);
    Files.createDirectories(program.resolveSibling("."));
    Files.writeString(program, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program.toString();
  }

  /** Runs a script of the copy. */
  private Ended run(Map<String, String> environment, String... words)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(words));
    line.set(0, folder.resolve("root/bench").resolve(words[0]).toString());
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    Map<String, String> all = builder.environment();
    List.of("RUNS", "LIMIT_MS", "LIMIT_KB", "LIMIT_RATIO", "LEAST_GAIN", "IDLE_SECONDS")
        .forEach(all::remove);
    List.of("SECONDS_EACH", "SLACK", "FIGURES", "ROUND").forEach(all::remove);
    all.putAll(environment);
    int code = builder.start().waitFor();
    return new Ended(
        code, Files.readString(folder.resolve("out")), Files.readString(folder.resolve("err")));
  }

  private void refused(Ended ended, String line) {
    assertThat(ended).isEqualTo(new Ended(2, "", line + "\n"));
    assertThat(folder.resolve("started")).doesNotExist();
    assertThat(folder.resolve("root/target")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "agent, LIMIT_MS, 4s",
    "agent, LIMIT_MS, -4",
    "agent, LIMIT_KB, 100kB",
    "agent, IDLE_SECONDS, x",
    "agent, IDLE_SECONDS, 0",
    "startup, LIMIT_MS, 600ms",
    "startup, LIMIT_MS, abc",
    "startup, LIMIT_MS, 0",
    "startup, RUNS, 0",
    "startup, RUNS, x",
    "disk, LIMIT_MS, 300ms",
    "disk, ROUND, ../x",
    "latency, SECONDS_EACH, x",
    "latency, SECONDS_EACH, 1.5",
  })
  void aNumberThatIsNoneIsRefusedBeforeAnythingIsStarted(String script, String name, String value)
      throws Exception {
    refused(
        run(Map.of(name, value), script),
        "bench/"
            + script
            + ": "
            + name
            + ": expected a whole number above 0, found \""
            + value
            + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "startup, LEAST_GAIN, x",
    "startup, LEAST_GAIN, 0.0",
    "startup, LEAST_GAIN, 1.",
    "disk, LIMIT_RATIO, 2x",
    "runtimes, SLACK, 1.2.3",
    "runtimes, SLACK, .",
    "runtimes, SLACK, .5",
    "runtimes, SLACK, 0",
    "runtimes, SLACK, -1",
  })
  void aRatioThatIsNoneIsRefusedBeforeAnythingIsStarted(String script, String name, String value)
      throws Exception {
    refused(
        run(Map.of(name, value), script),
        "bench/"
            + script
            + ": "
            + name
            + ": expected a number above 0 such as 1.5, found \""
            + value
            + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "agent, STARTS, ''",
    "run, ROUNDS, ', report or upstream'",
    "latency, RUNS, ' or report'",
  })
  void aCountThatIsNoneIsRefusedBeforeAnythingIsStarted(String script, String name, String or)
      throws Exception {
    String expected = "bench/" + script + ": " + name + ": expected a whole number ";
    for (String value : List.of("0", "x", "-1", "", "5 5")) {
      refused(run(Map.of(), script, value), expected + "above 0" + or + ", found \"" + value + '"');
    }
    for (String value : List.of("08", "00")) {
      refused(
          run(Map.of(), script, value),
          expected + "above 0 without zeros before it" + or + ", found \"" + value + '"');
    }
    refused(
        run(Map.of(), script, "1234567890"),
        expected + "of nine digits at most" + or + ", found \"1234567890\"");
  }

  @Test
  void whatNobodyWouldLookAtIsRefused() throws Exception {
    refused(
        run(Map.of(), "agent", "1", "true", "x"),
        "bench/agent: arguments: expected 2 at most, found 3");
    refused(
        run(Map.of(), "startup", "true", "x"),
        "bench/startup: arguments: expected 1 at most, found 2");
    refused(
        run(Map.of(), "run", "upstream", "x"), "bench/run: arguments: expected 1 at most, found 2");
    refused(
        run(Map.of(), "latency", "report", "x"),
        "bench/latency: arguments: expected 1 at most, found 2");
    refused(run(Map.of(), "disk", "x"), "bench/disk: arguments: expected 0 at most, found 1");
    refused(
        run(Map.of(), "runtimes", "relief", "x"),
        "bench/runtimes: PART: expected one of nri/answer nri/added agent/pass agent/admission"
            + " cri/events cri/listing return/agent return/runtime return/stall relief, found"
            + " \"x\"");
    for (List<String> words :
        List.of(List.of("agent", "1", "absent"), List.of("startup", "absent"))) {
      refused(
          run(Map.of(), words.toArray(String[]::new)),
          "bench/"
              + words.getFirst()
              + ": PROGRAM: expected one that can be started, found \"absent\"");
    }
  }

  @Test
  void anAgentThatEndsWhileItIsIdleHasNoMemoryAndFails() throws Exception {
    String program = program("brief", "[ \"$1\" = --version ] || " + READY);
    Ended ended = run(Map.of("IDLE_SECONDS", "1", "LIMIT_KB", "100000"), "agent", "1", program);
    assertThat(ended)
        .isEqualTo(
            new Ended(
                2,
                "",
                """
                berth: agent: ready
                bench/agent: expected an agent that stays up for 1 s, found it ended
                """));
  }

  @Test
  void anAgentIsHeldToItsMemory() throws Exception {
    String program = program("idle", "[ \"$1\" = --version ] && exit", READY, "exec sleep 60");
    Ended ended = run(Map.of("IDLE_SECONDS", "1", "LIMIT_KB", "1"), "agent", "1", program);
    assertThat(ended.out()).matches("[0-9]+ [0-9]+\n");
    assertThat(ended.err()).matches("bench/agent: [0-9]+ kB resident when idle, above 1 kB\n");
    assertThat(ended.code()).isEqualTo(1);
    ended =
        run(
            Map.of("IDLE_SECONDS", "1", "LIMIT_KB", "999999999", "LIMIT_MS", "999999999"),
            "agent",
            "1",
            program);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
  }

  @Test
  void commandsAreHeldToTheirTime() throws Exception {
    String program = program("sound", SOUND);
    assertThat(run(Map.of("RUNS", "2", "LIMIT_MS", "60000"), "startup", program))
        .satisfies(ended -> assertThat(ended.err()).isEmpty())
        .satisfies(ended -> assertThat(ended.out()).contains("\nstate check kubelet "))
        .satisfies(ended -> assertThat(ended.code()).isZero());
    String slow = program("slow", "case \"$*\" in --help) sleep 0.05 ;; esac", SOUND);
    assertThat(run(Map.of("RUNS", "1", "LIMIT_MS", "40"), "startup", slow))
        .satisfies(ended -> assertThat(ended.err()).isEqualTo("bench/startup: above 40 ms\n"))
        .satisfies(ended -> assertThat(ended.code()).isEqualTo(1));
  }

  /** The first time, which is not counted, it does what it should. */
  @Test
  void aCommandThatBreaksOffWhileItIsTimedIsNotFast() throws Exception {
    Path called = folder.resolve("called");
    String program =
        program(
            "brittle",
            "[ \"$*\" = --help ] || exit 0",
            "[ -e '" + called + "' ] && { echo 'out of memory' >&2; exit 1; }",
            "touch '" + called + "'");
    Ended ended = run(Map.of("RUNS", "1"), "startup", program);
    assertThat(ended.err())
        .isEqualTo(
            "bench/startup: "
                + program
                + " --help: expected exit code 0, found 1: out of memory\n");
    assertThat(ended.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"AOTMode=off", "''"})
  void aCommandThatBreaksOffWithTheCacheOrWithoutHasNoGain(String options) throws Exception {
    // The table's own call of it, and those that are counted there, are to be sound.
    String program =
        program(
            "lost",
            SOUND,
            "[ \"$*\" = 'config show' ] || exit 0",
            "echo >>'" + folder.resolve("calls") + "'",
            "[ $(wc -l <'" + folder.resolve("calls") + "') -gt 2 ] || exit 0",
            "case \"${BERTH_JAVA_OPTS:-}\" in *" + options + ") exit 1 ;; esac");
    Ended ended = run(Map.of("RUNS", "1", "LEAST_GAIN", "0.01"), "startup", program);
    assertThat(ended.err())
        .isEqualTo("bench/startup: " + program + " config show: expected exit code 0, found 1: \n");
    assertThat(ended.code()).isEqualTo(2);
  }

  /** A JDK whose JVM prints the figures that it is told: discovery's time, and a pair's. */
  private Map<String, String> jdk(String discovery, String admission, int pairs)
      throws IOException {
    String line = "printf '{\"name\":\"%s\",\"ns\":%s,\"runs\":1}\\n'";
    String java =
        program(
            "jdk/bin/java",
            "case \"$*\" in",
            "*Discovering\\ discover*) " + line + " discovery/512 " + discovery + " ;;",
            "*Discovering\\ read*) " + line + " reading/512 1 ;;",
            "*DurableAdmission*)",
            "  for i in $(seq " + pairs + "); do",
            "    " + line + " durable/admission " + admission,
            "    " + line + " durable/bare 1000000",
            "  done ;;",
            "esac");
    program("jdk/bin/javac", "exit 0");
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
    Path launch = folder.resolve("root/manager/target/berth/launch");
    Files.createDirectories(launch.resolveSibling("."));
    String home = folder.resolve("jdk").toString();
    Files.writeString(launch, String.join("\n", "root", home, java) + "\n", StandardCharsets.UTF_8);
    return Map.of("JAVA_HOME", home, "MVN", "/bin/true", "LIMIT_MS", "300", "LIMIT_RATIO", "2");
  }

  @ParameterizedTest
  @CsvSource({
    "100000000, 1300000, 0, ''",
    "300000000, 2000000, 0, ''",
    "301000000, 1000000, 1, 'the first discovery took 301.000 ms, above 300 ms'",
    "100000000, 2100000, 1, 'durable admissions took 2.10 times as long as their writes, above 2"
        + " times'",
  })
  void discoveryAndDurableAdmissionAreHeldToTheirLimits(
      String discovery, String admission, int code, String complaint) throws Exception {
    Ended ended = run(jdk(discovery, admission, 300), "disk");
    assertThat(ended.err()).isEqualTo(complaint.isEmpty() ? "" : "bench/disk: " + complaint + "\n");
    assertThat(ended.out())
        .contains("first discovery of 512 CPUs")
        .contains("durable admission over bare")
        .hasLineCount(2);
    assertThat(ended.code()).isEqualTo(code);
  }

  @Test
  void aFigureThatWasNotMeasuredFails() throws Exception {
    Ended ended = run(jdk("''", "1000000", 300), "disk");
    assertThat(ended)
        .isEqualTo(new Ended(2, "", "bench/disk: discovery/512: expected 5 figures, found 0\n"));
    ended = run(jdk("1000", "1000000", 299), "disk");
    assertThat(ended)
        .isEqualTo(
            new Ended(2, "", "bench/disk: durable/admission: expected 300 figures, found 299\n"));
  }
}
