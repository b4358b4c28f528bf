package dev.berth.agent.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel is asked for when something is written down, as strace sees it. */
@Tag("slow")
class SyncTest {
  private static final Path STRACE = Path.of("/usr/bin/strace");
  private static final Pattern CALL =
      Pattern.compile("(fsync|fdatasync|rename|write)\\((?:AT_FDCWD|\\d+)?(?:<([^>]*)>)?.*");

  @TempDir private Path temporary;

  /** Its system calls between the two lines that the program prints: name and file. */
  private List<String> calls(Path folder) throws IOException, InterruptedException {
    Path trace = temporary.resolve("trace");
    Process program =
        new ProcessBuilder(
                STRACE.toString(),
                "-f",
                "-y",
                "-o",
                trace.toString(),
                "-e",
                "trace=fsync,fdatasync,rename,renameat,renameat2,write",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                StateWrites.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(program.waitFor()).as(said).isZero();
    assumeTrue(!said.contains("ptrace"), said);
    List<String> lines =
        Files.readAllLines(trace).stream().map(line -> line.replaceFirst("^\\d+ +", "")).toList();
    int from = index(lines, "\"writes");
    return lines.subList(from + 1, index(lines, "\"written")).stream()
        .map(SyncTest::call)
        .filter(call -> call.contains(folder.toString()))
        .map(call -> call.replace(folder.toString(), "STATE"))
        .toList();
  }

  private static int index(List<String> lines, String word) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("write(") && lines.get(i).contains(word)) {
        return i;
      }
    }
    throw new AssertionError("no write of " + word + " in " + lines);
  }

  private static String call(String line) {
    Matcher call = CALL.matcher(line);
    if (!call.matches()) {
      return "";
    }
    String file =
        call.group(2) == null ? line.replaceFirst(".*, \"([^\"]*)\".*", "$1") : call.group(2);
    return call.group(1) + " " + file;
  }

  @Test
  void anAdmissionIsOnTheDiskBeforeAnybodyHearsOfIt() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(STRACE), "without strace (Debian: apt install strace)");
    Path folder = temporary.resolve("berth").toAbsolutePath();
    assertThat(calls(folder))
        .containsExactly(
            "write STATE/berth_state",
            "fdatasync STATE/berth_state",
            "write STATE/cpu_manager_state.new",
            "fsync STATE/cpu_manager_state.new",
            "write STATE/memory_manager_state.new",
            "fsync STATE/memory_manager_state.new",
            "rename STATE/cpu_manager_state",
            "rename STATE/memory_manager_state",
            "fsync STATE");
  }
}
