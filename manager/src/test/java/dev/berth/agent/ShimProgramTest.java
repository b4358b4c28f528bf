package dev.berth.agent;

import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script below which containers run, as the list of processes shows it. */
class ShimProgramTest {
  @TempDir private Path folder;

  private List<Path> programs() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "berth-shim-*")) {
      all.forEach(found::add);
    }
    return found;
  }

  @Test
  void thereIsOneVersionOfItAndNobodyElseCanWriteIt() throws IOException {
    Files.writeString(folder.resolve("berth-shim-older"), "exit 1");
    Files.writeString(folder.resolve("berth-shim-older.new"), "half");
    ShimProgram program = new ShimProgram(folder);
    program.install();
    assertThat(programs()).containsExactly(program.file());
    assertThat(program.file()).content().contains("ln -s", "exec \"$@\"");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(program.file())))
        .isEqualTo("rw-------");
    Files.delete(program.file());
    assertThat(program.file()).exists();
    Files.writeString(program.file(), "changed");
    program.install();
    assertThat(program.file()).content().doesNotContain("changed");
    program.remove();
    assertThat(programs()).isEmpty();
  }

  @Test
  void aRuntimeFolderThatOthersWriteIsRefused() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> ShimLauncher.open(folder, _ -> {}))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("runtime folder " + folder + ": expected that only its owner");
    assertThat(programs()).isEmpty();
  }

  @Tag("slow")
  @Test
  void theListOfProcessesShowsItsNameAndNotItsText() throws IOException {
    try (RealAgent agent = RealAgent.start(folder)) {
      agent.apply(pod("a", guaranteed(1), "sleep", "1000"));
      long container = agent.pidOf("a");
      long shell = ProcessHandle.of(container).flatMap(ProcessHandle::parent).orElseThrow().pid();
      assertThat(words(shell)).startsWith("/bin/sh " + agent.runtime()).contains("/berth-shim-");
      assertThat(words(shell)).doesNotContain("berth_").hasSizeLessThan(1_500);
      assertThat(words(container)).isEqualTo("sleep 1000 ");
      assertThat(descriptors(container)).noneMatch(name -> name.contains("berth-shim-"));
    }
  }

  private static String words(long pid) throws IOException {
    byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
    return new String(bytes, StandardCharsets.UTF_8).replace('\0', ' ');
  }

  private static List<String> descriptors(long pid) throws IOException {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path one : all) {
        found.add(Files.readSymbolicLink(one).toString());
      }
    }
    return found;
  }
}
